/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/load/socket_probes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "probe/abi/process.h"
#include "probe/load/kernel.h"
#include "probe/load/tracefs.h"
#include "process.skel.h"

#define WITHIN_MAX \
	4096 /* threads of the host in one of the functions at one time; the kernel's own limit */
#define GROUP "tracer_"

static const struct {
	const char *name;
	bool sends;
} functions[] = {
	{ "inet_sendmsg", true },        { "inet6_sendmsg", true },
	{ "inet_sendpage", true }, /* sendfile(2), splice(2) to a socket, before 6.5 */
	{ "unix_stream_sendmsg", true }, { "unix_stream_sendpage", true },
	{ "unix_dgram_sendmsg", true },  { "inet_recvmsg", false },
	{ "inet6_recvmsg", false },      { "unix_stream_recvmsg", false },
	{ "unix_dgram_recvmsg", false },
};

#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

struct socket_probes {
	const struct process_bpf *skel;
	int folder; /* of tracefs; below 0: none */
	struct bpf_link *begins[FUNCTIONS], *ends[FUNCTIONS];
};

/* Writes a line to tracefs' kprobe_events, which adds or removes a probe. */
static int write_kprobe_events(const struct socket_probes *probes, const char *line)
{
	CLEANUP(closep)
	int fd = openat(probes->folder, "kprobe_events", O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, line, strlen(line)) < 0 ? -errno : 0;
}

/* Removes probes that a killed agent left behind. The kernel refuses to remove those that a running
 * agent uses. */
static void remove_unused(const struct socket_probes *probes)
{
	CLEANUP(closep)
	int fd = openat(probes->folder, "kprobe_events", O_RDONLY | O_CLOEXEC);
	CLEANUP(fclosep) FILE *file = fd < 0 ? NULL : fdopen(fd, "re");
	char line[512], off[512];
	const char *name;

	if (!file)
		return;
	(void)TAKE_FD(fd); /* the stream owns it */
	while (fgets(line, sizeof(line), file)) {
		name = strstr(line, ":" GROUP);
		if (!name)
			continue;
		(void)snprintf(off, sizeof(off), "-:%.*s\n", (int)strcspn(name + 1, " \n"),
			       name + 1);
		(void)write_kprobe_events(probes, off);
	}
}

static int attach_by_tracefs(struct socket_probes *probes, const struct bpf_program *program,
			     size_t i)
{
	char group[32], line[128];
	int code;

	if (probes->folder < 0)
		return probes->folder;
	(void)snprintf(group, sizeof(group), GROUP "%d", (int)getpid());
	(void)snprintf(line, sizeof(line), "r%d:%s/%s %s\n", WITHIN_MAX, group, functions[i].name,
		       functions[i].name);
	code = write_kprobe_events(probes, line);
	if (code)
		return code;
	code = tracefs_id(probes->folder, group, functions[i].name);
	return code < 0 ? code : tracefs_attach(code, program, &probes->ends[i]);
}

static int attach(struct socket_probes *probes, size_t i)
{
	const struct process_bpf *skel = probes->skel;
	bool sends = functions[i].sends;
	const struct bpf_program *end =
		sends ? skel->progs.on_send_ends : skel->progs.on_receive_ends;
	int code = attach_by_tracefs(probes, end, i);

	if (code) {
		log_debug("%s by tracefs: %s", functions[i].name, strerror(-code));
		probes->ends[i] = bpf_program__attach_kprobe(end, true, functions[i].name);
	}
	if (!probes->ends[i])
		return -errno;
	probes->begins[i] = bpf_program__attach_kprobe(sends ? skel->progs.on_send_begins
							     : skel->progs.on_receive_begins,
						       false, functions[i].name);
	return probes->begins[i] ? 0 : -errno;
}

void socket_probes_choose(struct process_bpf *skel)
{
	if (!bpf_program__autoload(skel->progs.on_send_begins))
		bpf_map__set_max_entries(skel->maps.socket_calls, 1);
}

struct socket_probes *socket_probes_attach(const struct process_bpf *skel)
{
	struct socket_probes *probes;
	int code;

	if (bpf_program__fd(skel->progs.on_send_begins) < 0)
		return NULL;
	probes = calloc(1, sizeof(*probes));
	if (!probes)
		return NULL;
	probes->skel = skel;
	probes->folder = tracefs_open();
	if (probes->folder >= 0)
		remove_unused(probes);
	for (size_t i = 0; i < FUNCTIONS; i++) {
		code = kernel_has_function(functions[i].name) ? attach(probes, i) : 0;
		if (code)
			log_warning("bytes through sockets: no probe at %s: %s", functions[i].name,
				    strerror(-code));
	}
	return probes;
}

void socket_probes_detach(struct socket_probes *probes)
{
	if (!probes)
		return;
	for (size_t i = 0; i < FUNCTIONS; i++) {
		bpf_link__destroy(probes->begins[i]);
		bpf_link__destroy(probes->ends[i]);
	}
	if (probes->folder >= 0) {
		remove_unused(probes);
		close(probes->folder);
	}
	free(probes);
}
