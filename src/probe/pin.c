#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/log.h"
#include "probe/probe_private.h"
#include "process.skel.h"

/* Its number grows whenever struct process_state changes its meaning: an older agent's state is
 * then no state of ours. */
#define PIN_NAME "processes-1"

static bool same_layout(int fd, const struct bpf_map *ours)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return false;
	return info.type == bpf_map__type(ours) && info.key_size == bpf_map__key_size(ours) &&
	       info.value_size == bpf_map__value_size(ours) &&
	       info.map_flags == bpf_map__map_flags(ours);
}

void probe_pin_reuse(struct probe *probe, const char *folder)
{
	struct bpf_map *map = probe->skel->maps.processes;
	CLEANUP(closep) int fd = -1;
	int len = snprintf(probe->pin_path, sizeof(probe->pin_path), "%s/" PIN_NAME, folder);

	if (len < 0 || (size_t)len >= sizeof(probe->pin_path)) {
		probe->pin_path[0] = '\0';
		return;
	}
	fd = bpf_obj_get(probe->pin_path);
	if (fd < 0)
		return;
	if (!same_layout(fd, map) || bpf_map__reuse_fd(map, fd)) {
		log_warning("%s is of another version of the agent: its state is not used",
			    probe->pin_path);
		unlink(probe->pin_path);
		return;
	}
	probe->pin_reused = true;
}

void probe_pin_put(struct probe *probe)
{
	struct error err = { { 0 } };
	char folder[sizeof(probe->pin_path)];
	int code;

	if (probe->pin_reused || !probe->pin_path[0])
		return;
	memcpy(folder, probe->pin_path, sizeof(folder));
	*strrchr(folder, '/') = '\0';
	code = file_make_folder(folder, 0700, &err);
	if (!code && bpf_obj_pin(bpf_map__fd(probe->skel->maps.processes), probe->pin_path))
		code = -errno;
	if (!code)
		return;
	log_warning(
		"cannot keep state in %s: %s; should the agent be killed, figures of what then "
		"runs may hold what earlier images of a process consumed (mount bpffs: mount -t "
		"bpf bpf /sys/fs/bpf)",
		folder, strerror(-code));
	probe->pin_path[0] = '\0';
}
