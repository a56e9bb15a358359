/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "probe/api/handler.h"
#include "probe/api/hooks.h"
#include "probe/api/losses.h"
#include "probe/api/needs.h"
#include "probe/api/network_record.h"
#include "probe/api/record.h"
#include "probe/api/file_record.h"
#include "probe/api/usage.h"
#include "probe/api/io_record.h"
#include "probe/api/syscall_record.h"

/*
 * The one face of the kernel side. One owner, one thread, no hidden threads: the caller waits on
 * probe_fd(), calls probe_poll(), and once a second probe_sample(). Records come in the order in
 * which the kernel made them. Whatever the kernel could not hand over is counted (probe_losses),
 * never silent.
 */
struct probe;

struct probe_options {
	size_t ring_bytes;        /* 0: 4 MiB; rounded up to a power of two */
	const char *const *names; /* basenames (of file or script) that begin tracking at exec; ≤
				     PROBE_NAMES_MAX, ≤ 63 bytes each */
	size_t name_count;
	const char *const *excluded; /* others, at whose exec it ends: see probe_names */
	size_t excluded_count;
	bool track_all;         /* every exec begins tracking */
	const char *force_hook; /* for diagnosis, see hooks_choose(); NULL: the best of each */
	bool syscalls;          /* counted: every call of the host gets dearer by it */
	bool without_files; /* what it does with files is not watched, nor, where fexit is refused,
			       execs that fail */
	bool hold_syscall_tracepoints; /* tracepoints of system calls are attached from the
			    beginning to the end, as with track_all: see
			    probe_detach_syscall_tracepoint() */
	const char *pin_folder; /* bpffs folder for state that survives a restart; NULL: none */
};

/* Loads and attaches. Words say what is missing and what to do (not root, no BTF, kernel too old,
 * lockdown). */
int probe_open(struct probe **ret, const struct probe_options *options,
	       const struct probe_handler *handler, struct error *err);
/* Detaches and frees. NULL is fine. keep_pins: leave the pinned state for a successor (a restart),
 * else remove it. */
void probe_close(struct probe *probe, bool keep_pins);

#define PROBE_NAMES_MAX 16384 /* of both kinds; one is of one kind */
/* The exec of an excluded program ends tracking. What it starts is not tracked either, whatever its
 * cgroup and though all is, unless its name begins tracking. */
struct probe_names {
	const char *const *tracked, *const *excluded;
	size_t tracked_count, excluded_count;
};
/* Other names count from now on, at the next exec; what is tracked, or is not, stays so until then.
 * A name that was there before and is again counts all the while. -EINVAL (nothing is changed) with
 * words: too many, or one that is empty or too long. */
int probe_set_names(struct probe *probe, const struct probe_names *names, struct error *err);

/* Readable when records wait beyond the wake-up threshold; poll at least every 100 ms besides. */
int probe_fd(const struct probe *probe);
/* Drains what is there, at most `limit` records (0: all). Returns their number or -errno. */
int probe_poll(struct probe *probe, size_t limit);
/* Nothing tracked has lived for a while: of the tracepoints of system calls, which cost every
 * system call of the host, one is detached (some 60 ms), and so on with each call. The next process
 * that begins tracking wakes the reader of probe_fd(), and probe_poll() attaches them again. */
void probe_detach_syscall_tracepoint(struct probe *probe);
bool probe_syscall_tracepoints_attached(const struct probe *probe);
/* Finds what runs already (basename of exe, script or, of interpreters, as in names) with all
 * descendants, begins tracking it in the kernel without a gap, and reports each as on_image with
 * found = true. Call once after probe_open. */
int probe_scan(struct probe *probe);
/* Begins tracking one process that runs already, with all that descends from it, and reports those
 * that were not tracked yet likewise. start_ns may be off by less than a clock tick, as /proc tells
 * it; *ret is exact. -ESRCH: it is gone, or is not to be tracked. */
int probe_adopt(struct probe *probe, uint32_t pid, uint64_t start_ns, struct probe_key *ret);
/* Reads all live tracked processes: on_alive for each. Returns their number or -errno. */
int probe_sample(struct probe *probe);

/* Reads what a live process's image moved: on_network for each kind of socket that it used. Returns
 * their number or -errno. */
int probe_networks(struct probe *probe, const struct probe_key *key, uint64_t image_seq);
/* From now on the cgroup's end is told, an exec in it begins tracking (probe_scan finds what runs
 * in it already). 0 or -errno: there is no room for its mark. */
int probe_watch_cgroup(struct probe *probe, uint64_t cgroup_id);
int probe_follow_cgroup(struct probe *probe, uint64_t cgroup_id);
/* Likewise, and each that is made in it is followed from its first process on. */
int probe_follow_cgroups(struct probe *probe, uint64_t cgroup_id);
bool probe_follows_cgroup(struct probe *probe, uint64_t cgroup_id);
/* What the kernel told when it was made, also once it is gone; false: it was made before
 * probe_open, or too many were since. */
bool probe_find_cgroup(struct probe *probe, uint64_t cgroup_id, struct probe_cgroup *ret);

/* Failed execs of tracked processes so far, whatever came of them; searches along PATH make many.
 */
uint64_t probe_execs_failed(const struct probe *probe);
