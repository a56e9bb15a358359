/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "collect/process/counters.h"

/*
 * Work that has come to a halt: for so many seconds no byte moved, next to no CPU was used, and no
 * process of the same task (of its run, where it is in no task) did anything or slept by its own
 * will. Asleep by design, and never the one that hangs, is who waits for a child, for clients (it
 * listens, or its connection was made to it), or polls for anything but what another process owes
 * it. Each stall is two events, the second when it goes on or ends.
 */
struct tracker;
struct process;

/* A second's reading of a process that lives, and the one before. */
void stall_reading(struct tracker *tracker, struct process *process, const struct counters *before,
		   const struct counters *now);
/* After all readings of a second: whose time is up. */
void stall_check(struct tracker *tracker);
/* The process goes on, or has ended: says so if its stall had been told. at is wall-clock. */
void stall_over(struct tracker *tracker, struct process *process, int64_t at);
