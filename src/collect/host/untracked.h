/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct agent_clock;
struct cgroups;
struct listener;
struct outbox;
struct process_table;

/*
 * The CPU time of the host that was not of tracked work: by cgroup, from the kernel's own counters,
 * less what tracked processes in it took. Nothing is counted at a switch. The time of a cgroup is
 * sent once: what its counter lags behind the processes is made up for in the intervals that
 * follow, what a removed one did since is sent with the one that it was in.
 */
struct untracked;

#define UNTRACKED_SENT_MAX 64      /* cgroups by path in an interval; the others are one record */
#define UNTRACKED_SENT_NS  1000000 /* they took as much at least */

struct untracked_parts { /* not owned */
	struct process_table *processes;
	const struct cgroups *cgroups;
	struct outbox *outbox;
	const struct agent_clock *clock;
};

/* NULL only without memory. */
struct untracked *untracked_new(const struct untracked_parts *parts);
void untracked_free(struct untracked *untracked); /* NULL is fine */
/* Takes what tracked processes use. */
extern const struct listener untracked_listener;
/* CPU time of all tracked work since the start. */
uint64_t untracked_tracked_ns(const struct untracked *untracked);

/* Reads all cgroups and sends what was since the last time; the first time sends nothing. host_ns:
 * the CPU time of the host so far, as read just before. */
void untracked_send(struct untracked *untracked, uint64_t host_ns);
