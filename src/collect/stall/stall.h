/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * Work that has come to a halt: for so many seconds no byte moved, next to no CPU was used, and no
 * process of the same task (of its run, where it is in no task) did anything or slept by its own
 * will. Asleep by design, and never the one that hangs, is who waits for a child, for clients (it
 * listens, or its connection was made to it), or polls for anything but what another process owes
 * it. Each stall is two events, the second when it goes on or ends.
 */
struct agent_clock;
struct counters;
struct listener;
struct process;
struct process_table;
struct recorder;

struct stalls { /* nothing is owned */
	struct process_table *processes;
	struct recorder *recorder;
	const struct agent_clock *clock;
	uint16_t after_s; /* 0: stalls are not reported */
};

/* A second's reading of a live process, and the one before. */
void stall_reading(const struct stalls *stalls, struct process *process,
		   const struct counters *before, const struct counters *now);
/* After all readings of a second: reports each process that did nothing for long enough. */
void stall_check(const struct stalls *stalls);
/* Calls both, and reports that a stall ended with its process. context: struct stalls. */
extern const struct listener stall_listener;
