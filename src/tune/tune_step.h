/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"
#include "signal/finding.h"
#include "tune/tune.h"

/*
 * Shared by the finders. A finder looks at one step and appends at most one finding. The table of
 * finders is in tune.c.
 */
struct tune_step {
	const char *engine, *name;
	const struct tune_task *const *tasks;
	size_t count;
};

typedef int tune_finder(const struct tune_step *step, struct findings *ret);

tune_finder tune_memory; /* memory_overrequested */
tune_finder tune_cpus;   /* cpus_overrequested */

/* The tasks of a step that a finding is about. */
struct tune_concerned {
	const struct tune_task **tasks; /* room for all of the step; owned */
	size_t count;
};
int tune_concerned_make(struct tune_concerned *concerned, const struct tune_step *step);
void tune_concerned_clear(struct tune_concerned *concerned);

/* Begins an evidence object with the step, how many tasks it has and how many are concerned, and
 * names the first twenty of these. */
void tune_evidence_begin(struct json *json, const struct tune_step *step,
			 const struct tune_concerned *concerned);

/* What the part of their hosts that a smaller request leaves to others is worth over their time;
 * < 0 where a host or its price is not known. cpus and memory_bytes: asked for instead; 0: as
 * before. */
double tune_saving_usd(const struct tune_concerned *concerned, double cpus, uint64_t memory_bytes);

/* "step NAME" and "3 of its 6 tasks" for subject and summary; NULL without memory. */
char *tune_subject(const struct tune_step *step);
char *tune_how_many(const struct tune_step *step, const struct tune_concerned *concerned);

/* How to ask for that much where the step is written, in the words of its engine (and of what else
 * had asked: requested_by). NULL without memory. */
char *tune_memory_advice(const struct tune_step *step, const char *requested_by,
			 uint64_t megabytes);
char *tune_cpus_advice(const struct tune_step *step, const char *requested_by, unsigned cpus);
