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
 * The kernel side of the agent: loads the programs and hands their records to the caller. One
 * owner, one thread, no hidden threads: the caller waits on probe_fd(), calls probe_poll(), and
 * once a second probe_sample(). Records arrive in the order in which the kernel made them. What the
 * kernel side could not send is counted (probe_losses).
 */
struct probe;

struct probe_options {
	size_t ring_bytes;        /* 0: 4 MiB; rounded up to a power of two */
	const char *const *names; /* basenames (of file or script) that begin tracking at exec; ≤
				     PROBE_NAMES_MAX, ≤ 63 bytes each */
	size_t name_count;
	const char *const *excluded; /* basenames that end tracking at exec: see probe_names */
	size_t excluded_count;
	bool track_all;         /* every exec begins tracking */
	const char *force_hook; /* for diagnosis, see hooks_choose(); NULL: the best of each */
	bool syscalls;      /* count system calls: it slows down every system call on this host */
	bool without_files; /* do not observe files, nor, where fexit is refused, failed execs */
	bool hold_syscall_tracepoints; /* attach tracepoints of system calls from the start to the
					  end, as track_all does; see
					  probe_detach_syscall_tracepoint() */
	const char *pin_folder; /* bpffs folder for state that survives a restart; NULL: none */
};

/* Loads and attaches the programs. 0 or -errno; err then says what is missing and what to do (not
 * root, no BTF, kernel too old, lockdown). The caller closes *ret. */
int probe_open(struct probe **ret, const struct probe_options *options,
	       const struct probe_handler *handler, struct error *err);
/* Detaches and frees. NULL is fine. keep_pins: leave the pinned state for a successor (a restart),
 * else remove it. */
void probe_close(struct probe *probe, bool keep_pins);

#define PROBE_NAMES_MAX 16384 /* of both kinds together; a name has one kind */
/* Programs by basename. The exec of an excluded program ends tracking. The programs that it starts
 * are not tracked either, even in a followed cgroup or with track_all, unless their own name begins
 * tracking. */
struct probe_names {
	const char *const *tracked, *const *excluded;
	size_t tracked_count, excluded_count;
};
/* Replaces the names. They apply to each later exec; until its next exec a process keeps its state.
 * A name in both the old and the new set is in force without a gap. 0; -EINVAL with err (nothing is
 * changed): too many names, or one that is empty or too long. */
int probe_set_names(struct probe *probe, const struct probe_names *names, struct error *err);

/* Readable when records wait beyond the wake-up threshold; poll at least every 100 ms as well. */
int probe_fd(const struct probe *probe);
/* Handles the records that are there, at most `limit` of them (0: all). Returns their number or
 * -errno. */
int probe_poll(struct probe *probe, size_t limit);
/* For a caller that has seen no tracked process for a while: detaches one of the tracepoints of
 * system calls, which slow down every system call on this host. Detaching takes some 60 ms, so each
 * call detaches one. The next process that begins tracking wakes the reader of probe_fd(), and
 * probe_poll() attaches them again. */
void probe_detach_syscall_tracepoint(struct probe *probe);
bool probe_syscall_tracepoints_attached(const struct probe *probe);
/* Finds the processes that run already (by basename of exe or script, or by is_known) with all
 * their descendants, begins tracking them in the kernel without a gap, and calls on_image with
 * found = true for each. Call it once, after probe_open. 0 or -errno. */
int probe_scan(struct probe *probe);
/* Begins tracking one process that runs already, with all its descendants, and calls on_image with
 * found = true for those that were not tracked before. start_ns as /proc gives it: it may differ by
 * less than a clock tick; *ret is exact. 0; -ESRCH: there is no such process, or it must not be
 * tracked; -errno. */
int probe_adopt(struct probe *probe, uint32_t pid, uint64_t start_ns, struct probe_key *ret);
/* Reads all live tracked processes: on_alive for each. Returns their number or -errno. */
int probe_sample(struct probe *probe);

/* Reads the socket counts of a live process's image: on_network for each kind of socket that it
 * used. Returns their number or -errno. */
int probe_networks(struct probe *probe, const struct probe_key *key, uint64_t image_seq);

/* Marks of a cgroup. Each returns 0, or -errno: there is no room for another mark.
 * Watched: on_cgroup is called when the cgroup is removed. */
int probe_watch_cgroup(struct probe *probe, uint64_t cgroup_id);
/* Followed: an exec in it begins tracking (probe_scan finds what runs in it already). */
int probe_follow_cgroup(struct probe *probe, uint64_t cgroup_id);
/* Followed, with each cgroup that is made in it later, from that one's first process on. */
int probe_follow_cgroups(struct probe *probe, uint64_t cgroup_id);
bool probe_follows_cgroup(struct probe *probe, uint64_t cgroup_id);
/* Looks up what the kernel side recorded when the cgroup was made and removed. false: it was made
 * before probe_open, or too many were made since. */
bool probe_find_cgroup(struct probe *probe, uint64_t cgroup_id, struct probe_cgroup *ret);

/* Failed execs of tracked processes so far, also those that a later exec followed: a search along
 * PATH makes many. */
uint64_t probe_execs_failed(const struct probe *probe);
