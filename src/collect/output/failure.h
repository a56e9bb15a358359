/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "probe/api/probe.h"

/*
 * Why a process ended: what the kernel side tells just before its exit is kept with the process,
 * and becomes one sentence and its parts, an event of the run that it struck.
 */
struct failure; /* of one process; NULL: nothing was told */
struct process;
struct tracker;

/* What a probe is to call. context: the tracker. */
void failure_kill(void *context, const struct probe_kill *kill);
void failure_attempt(void *context, const struct probe_attempt *attempt);
/* An ended process of a run: an event where it failed (its exit code tells only of what it ran
 * itself), was killed, or could not become what it should. */
void failure_event(struct tracker *tracker, const struct process *process);
void failure_free(struct failure *failure); /* NULL is fine */
