/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/finder.h"

/* The tasks of a step that a finding is about, and what finders of a step say of them. */
struct concerned {
	const struct finding_task **tasks; /* room for all of the step; owned */
	size_t count;
};
int concerned_make(struct concerned *concerned, const struct finding_step *step);
void concerned_clear(struct concerned *concerned);

/* Begins the evidence with the step, how many tasks it has and how many are concerned, and names
 * the first twenty of these. */
void step_evidence_begin(struct evidence *evidence, const struct subject *subject,
			 const struct concerned *concerned);

/* What the part of their hosts that a smaller request leaves to others is worth over their time;
 * < 0 where a host or its price is not known. cpus and memory_bytes: asked for instead; 0: as
 * before. */
double step_saving_usd(const struct concerned *concerned, double cpus, uint64_t memory_bytes);

/* "3 of its 6 tasks", for a summary; NULL without memory. */
char *step_how_many(const struct finding_step *step, const struct concerned *concerned);
