/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "probe/api/probe.h"

/*
 * Why a process ended: what the kernel side reports just before its exit is kept with the process,
 * and becomes one sentence and its parts, an event of the run that it struck.
 */
struct failure; /* of one process; NULL: nothing was reported */

struct cgroups;
struct listener;
struct process_table;
struct recorder;

struct failures { /* nothing is owned */
	struct process_table *processes;
	const struct cgroups *cgroups;
	struct recorder *recorder;
};

/* What the kernel side reports before an exit. */
void failure_kill(const struct failures *failures, const struct probe_kill *kill);
void failure_attempt(const struct failures *failures, const struct probe_attempt *attempt);
/* An ended process of a run: an event where it failed (its exit code counts only for what it ran
 * itself), was killed, or could not exec. */
extern const struct listener failure_listener;
