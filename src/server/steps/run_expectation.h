/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/steps/run_usual.h"
#include "tune/expect/remaining.h"

/* When a running run, its steps and its tasks are expected to end. */
struct run_expectation {
	bool runs;                      /* false: it has ended; nothing is expected */
	struct step_history *histories; /* of all steps of the pipeline, as those of the history */
	size_t count;
	struct run_remaining remaining; /* steps: beside histories */
	struct remaining **tasks; /* of each step of the run: beside its tasks in the history */
	const char *why_unknown;  /* static; NULL: the end of the run is known, or it has ended */
};

/* now_at: ns since 1970. 0 or -ENOMEM. It points into usual, which must outlive it.
 * run_expectation_clear in any case. */
int run_expectation_make(const struct run_usual *usual, int64_t now_at,
			 struct run_expectation *ret);
void run_expectation_clear(struct run_expectation *expectation);
