/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/load/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"

static int mount_privately(void)
{
	CLEANUP(closep) int context = fsopen("tracefs", FSOPEN_CLOEXEC);
	int folder;

	if (context < 0 || fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		return -errno;
	folder = fsmount(context, FSMOUNT_CLOEXEC, 0);
	return folder < 0 ? -errno : folder;
}

int tracefs_open(void)
{
	CLEANUP(closep)
	int folder = open("/sys/kernel/tracing", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (folder >= 0 && faccessat(folder, "events", F_OK, 0) == 0)
		return TAKE_FD(folder);
	return mount_privately();
}

int tracefs_id(int folder, const char *category, const char *name)
{
	CLEANUP(closep) int fd = -1;
	char path[256], text[32] = "", *end;
	long id;

	if (snprintf(path, sizeof(path), "events/%s/%s/id", category, name) >= (int)sizeof(path))
		return -ENOENT;
	fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return -errno;
	id = strtol(text, &end, 10);
	return end > text && *end == '\n' && id > 0 && id <= 0xffff ? (int)id : -EBADMSG;
}

int tracefs_attach(int id, const struct bpf_program *program, struct bpf_link **ret)
{
	struct perf_event_attr event = { .type = PERF_TYPE_TRACEPOINT,
					 .size = sizeof(event),
					 .config = (unsigned)id,
					 .sample_period = 1 };
	CLEANUP(closep) int fd = -1;
	struct bpf_link *link;

	/* A program at a tracepoint runs on every CPU, whatever CPU the event was opened on. */
	fd = (int)syscall(SYS_perf_event_open, &event, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	link = bpf_program__attach_perf_event(program, fd);
	if (!link)
		return -errno;
	(void)TAKE_FD(fd); /* the link owns it */
	*ret = link;
	return 0;
}
