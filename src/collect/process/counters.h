/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "probe/api/probe.h"
#include "signal/figures.h"

/*
 * Figures as the agent reckons with them: the names of signal/figures.h and nothing else. Pure.
 */
struct counters {
#define COUNTERS_FIELD(name, kind) uint64_t name;
	FIGURES(COUNTERS_FIELD)
#undef COUNTERS_FIELD
};

struct counters counters_of(const struct probe_figures *figures);
/* What the kernel knows nothing of stays as it was seen. */
void counters_keep_gpu(struct counters *now, const struct counters *seen);
/* What is on a CPU: user + kernel. */
uint64_t counters_cpu_ns(const struct counters *counters);
/* All figures of sockets, added: another number means that one of them grew. */
uint64_t counters_network(const struct counters *counters);
/* Nothing happened between two readings: no more than waits grew. */
bool counters_idle(const struct counters *earlier, const struct counters *later);

/* Takes a later reading into *seen (before: the same, unchanged) so that no sum ever falls,
 * whatever the kernel says: its split of CPU time into user and kernel is an estimate that may move
 * back and forth, so both together rise as their total does. Time that earlier readings have as a
 * wait does not count again as runnable. Levels become those of `now`, peaks the larger. */
void counters_advance(struct counters *seen, const struct counters *before,
		      const struct counters *now);
/* Its image has ended: its wall time is that of `now`, where that is known. */
void counters_end(struct counters *seen, const struct counters *now);

void counters_message(const struct counters *counters, Signal__Figures *ret);
/* Growth from earlier to later as a message; levels and peaks are those of later. */
void counters_growth(const struct counters *earlier, const struct counters *later,
		     Signal__Figures *ret);
/* What ended has no levels any more. As it lived: those it had before, and where it was never read
 * while it lived its peak for rss_bytes, an upper bound. */
struct counters counters_lived(const struct counters *before, const struct counters *end);

/*
 * What a process used between fork and exec, when that was too short to be an execution of its own:
 * the cost of starting belongs to the tool that it starts (as wait4 has it too). Only times, faults
 * and switches: bytes, connections and memory of that phase are the forking program's.
 */
struct counters counters_carried(const struct counters *counters);
void counters_add(struct counters *sum, const struct counters *more);

/*
 * Counters as they are kept for each of tens of thousands of processes: most are zero or small, and
 * a number takes as many bytes as it needs.
 */
struct kept;
/* Takes the place of what *kept held (NULL: nothing). Free with free(). -ENOMEM: *kept stays. */
int counters_keep(struct kept **kept, const struct counters *counters);
/* NULL: all zero. */
void counters_recall(const struct kept *kept, struct counters *ret);
