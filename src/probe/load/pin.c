/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/load/pin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/log.h"
#include "probe/abi/process.h"
#include "probe/load/open_probe.h"
#include "process.skel.h"

/* The number grows whenever the meaning of struct process_state changes, so that the state of an
 * older agent is not reused. */
static const char *const names[] = { "processes-6", "crowd-6", "networks-6" };
#define PINS 3

struct pin_path {
	char text[1024 + 32];
};

static struct pin_path path_of(const struct probe *probe, size_t i)
{
	struct pin_path path;

	snprintf(path.text, sizeof(path.text), "%s/%s", probe->pin_folder, names[i]);
	return path;
}

static struct bpf_map *map_of(const struct probe *probe, size_t i)
{
	struct bpf_map *const maps[PINS] = { probe->skel->maps.processes, probe->skel->maps.crowd,
					     probe->skel->maps.networks };

	return maps[i];
}

static bool same_layout(int fd, const struct bpf_map *ours)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return false;
	return info.type == bpf_map__type(ours) && info.key_size == bpf_map__key_size(ours) &&
	       info.value_size == bpf_map__value_size(ours) &&
	       info.max_entries == bpf_map__max_entries(ours) &&
	       info.map_flags == bpf_map__map_flags(ours);
}

void pin_remove(struct probe *probe)
{
	for (size_t i = 0; i < PINS && probe->pin_folder[0]; i++)
		unlink(path_of(probe, i).text);
}

void pin_reuse(struct probe *probe, const char *folder)
{
	int fds[PINS] = { -1, -1, -1 };
	bool same = true;

	if (snprintf(probe->pin_folder, sizeof(probe->pin_folder), "%s", folder) >=
	    (int)sizeof(probe->pin_folder)) {
		log_warning("no state is kept: the path of the pin folder is too long");
		probe->pin_folder[0] = '\0';
		return;
	}
	for (size_t i = 0; i < PINS; i++) {
		fds[i] = bpf_obj_get(path_of(probe, i).text);
		same = same && fds[i] >= 0 && same_layout(fds[i], map_of(probe, i));
	}
	for (size_t i = 0; same && i < PINS; i++)
		same = !bpf_map__reuse_fd(map_of(probe, i), fds[i]);
	for (size_t i = 0; i < PINS; i++)
		closep(&fds[i]);
	if (!same)
		pin_remove(probe);
	probe->pin_reused = same;
}

static int64_t count_crowd(const struct bpf_map *map)
{
	uint32_t pid, next;
	int64_t count = 0;
	bool more = !bpf_map__get_next_key(map, NULL, &pid, sizeof(pid));

	for (; more && count < PROCESS_CROWD_MAX; count++) {
		more = !bpf_map__get_next_key(map, &pid, &next, sizeof(next));
		pid = next;
	}
	return count;
}

void pin_put(struct probe *probe)
{
	struct error err = { { 0 } };
	int code = 0;

	if (probe->pin_reused)
		probe->skel->bss->crowd_count = count_crowd(probe->skel->maps.crowd);
	if (probe->pin_reused || !probe->pin_folder[0])
		return;
	code = file_make_folder(probe->pin_folder, 0700, &err);
	for (size_t i = 0; !code && i < PINS; i++)
		if (bpf_obj_pin(bpf_map__fd(map_of(probe, i)), path_of(probe, i).text))
			code = -errno;
	if (!code)
		return;
	log_warning(
		"cannot keep state in %s: %s; should the agent be killed, figures of what then "
		"runs may hold what earlier images of a process consumed (mount bpffs: mount -t "
		"bpf bpf /sys/fs/bpf)",
		probe->pin_folder, strerror(-code));
	pin_remove(probe);
	probe->pin_folder[0] = '\0';
}

static bool is_former(const struct probe *probe, const struct process_state *state)
{
	return state->start_ns && state->session != probe->skel->rodata->session;
}

/* A slot held by the state of a former process is in use, so the kernel side does not write to it
 * meanwhile. */
static void drop_former_slots(struct probe *probe)
{
	static const struct process_state empty;
	const struct bpf_map *map = probe->skel->maps.processes;
	struct process_state state;

	for (uint32_t slot = 0; slot < PROCESS_SLOTS; slot++)
		if (!bpf_map__lookup_elem(map, &slot, sizeof(slot), &state, sizeof(state), 0) &&
		    is_former(probe, &state))
			bpf_map__update_elem(map, &slot, sizeof(slot), &empty, sizeof(empty), 0);
}

static void drop_former_crowd(struct probe *probe)
{
	const struct bpf_map *map = probe->skel->maps.crowd;
	struct process_state state;
	uint32_t pid, next;
	bool more = !bpf_map__get_next_key(map, NULL, &pid, sizeof(pid));

	for (size_t i = 0; more && i < 2 * (size_t)PROCESS_CROWD_MAX; i++) {
		more = !bpf_map__get_next_key(map, &pid, &next, sizeof(next));
		if (!bpf_map__lookup_elem(map, &pid, sizeof(pid), &state, sizeof(state), 0) &&
		    is_former(probe, &state) && !bpf_map__delete_elem(map, &pid, sizeof(pid), 0))
			__atomic_fetch_sub(&probe->skel->bss->crowd_count, 1, __ATOMIC_RELAXED);
		pid = next;
	}
}

/* Whether these are counts of a process that has no state any more. */
static bool is_stale(const struct probe *probe, const struct network_key *key)
{
	const struct process_bpf *skel = probe->skel;
	uint32_t slot = key->pid % PROCESS_SLOTS;
	struct process_state state;

	if (!bpf_map__lookup_elem(skel->maps.processes, &slot, sizeof(slot), &state, sizeof(state),
				  0) &&
	    state.pid == key->pid && state.start_ns == key->start_ns)
		return false;
	return bpf_map__lookup_elem(skel->maps.crowd, &key->pid, sizeof(key->pid), &state,
				    sizeof(state), 0) ||
	       state.start_ns != key->start_ns;
}

static void drop_former_networks(struct probe *probe)
{
	const struct bpf_map *map = probe->skel->maps.networks;
	struct network_key key, next;
	bool more = !bpf_map__get_next_key(map, NULL, &key, sizeof(key));

	for (size_t i = 0; more && i < 2 * (size_t)NETWORK_ENTRIES_MAX; i++) {
		more = !bpf_map__get_next_key(map, &key, &next, sizeof(next));
		if (is_stale(probe, &key))
			bpf_map__delete_elem(map, &key, sizeof(key), 0);
		key = next;
	}
}

void pin_drop_former(struct probe *probe)
{
	if (!probe->pin_reused)
		return;
	drop_former_slots(probe);
	drop_former_crowd(probe);
	drop_former_networks(probe);
	probe->pin_reused = false; /* once per start */
}
