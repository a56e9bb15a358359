/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/input.h"

/* Tasks grouped by step, steps in the order in which they first appear. */
struct steps {
	struct finding_step *items;
	size_t count;
	const struct finding_task **tasks; /* those of the steps, one step after the other */
};

/* -ENOMEM. steps_clear in any case. */
int steps_make(const struct finding_task *tasks, size_t count, struct steps *ret);
void steps_clear(struct steps *steps);
