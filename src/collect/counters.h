#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "probe/probe.h"
#include "signal/figures.h"

/*
 * Figures as the process table keeps them: the names of signal/figures.h and nothing else (112
 * bytes; the message Signal__Figures has 24 more, and the table holds tens of thousands). Pure.
 */
struct counters {
#define COUNTERS_FIELD(name, kind) uint64_t name;
	FIGURES(COUNTERS_FIELD)
#undef COUNTERS_FIELD
};

struct counters counters_of(const struct probe_figures *figures);
/* What is on a CPU: user + kernel. */
uint64_t counters_cpu_ns(const struct counters *counters);
bool counters_same(const struct counters *a, const struct counters *b);

/* Takes a later reading into *seen so that no sum ever falls, whatever the kernel says: its split
 * of CPU time into user and kernel is an estimate that may move back and forth, so both together
 * rise as their total does. Levels become those of `now`, peaks the larger. */
void counters_advance(struct counters *seen, const struct counters *now);

void counters_message(const struct counters *counters, Signal__Figures *ret);
/* Growth from earlier to later as a message; levels and peaks are those of later. */
void counters_growth(const struct counters *earlier, const struct counters *later,
		     Signal__Figures *ret);

/*
 * What a process used between fork and exec, when that was too short to be an execution of its own:
 * the cost of starting belongs to the tool that it starts (as wait4 has it too). Only times, faults
 * and switches: bytes and memory of that phase are the forking program's. 32 bits each: up to 4.29
 * s.
 */
struct carried {
	uint32_t user_ns, kernel_ns, runnable_ns;
	uint32_t minor_faults, major_faults, ctx_voluntary, ctx_involuntary;
};

/* false, and nothing carried, when it does not fit. */
bool carried_take(struct carried *carried, const struct counters *counters);
void carried_add(const struct carried *carried, struct counters *counters);
