/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tune/diff/diff_run.h"
#include "tune/diff/figure_change.h"
#include "tune/diff/step_reason.h"
#include "tune/diff/step_side.h"

/*
 * What changed from one run to another: the difference of their wall times, divided among steps and
 * the engine, and within each among factors (path_change.h), and each step side by side. All parts
 * together are the difference, to the ns. Pure.
 */
enum step_state {
	STEP_SAME_NAME,
	STEP_RENAMED,
	STEP_NEW,
	STEP_REMOVED,
	STEP_NOT_YET, /* the run that does not have it still runs */
};

struct step_diff {
	const char *name, *from_name; /* the name in the later run, and that in the earlier one; the
					 same unless it was renamed */
	bool is_rest;                 /* all steps from this name on (DIFF_STEPS_MAX) */
	enum step_state state;
	struct step_side sides[2]; /* from, to */
	struct step_path paths[2];
	int64_t factors[DIFF_FACTORS]; /* of the difference of the paths; all 0: see run_diff.timed
					*/
	int64_t path_ns;               /* that difference */
	struct input_slope slope;
	struct figure_change changes[SIDE_FIGURES];
	struct step_fact facts[STEP_FACTS];
	size_t fact_count;
	struct step_reason reason;
};

/* Of more names of steps in both runs together those behind are compared as one. */
#define DIFF_STEPS_MAX 5000

struct run_diff {
	const struct diff_run *runs[2];
	bool timed; /* both runs have ended: their wall times are compared */
	int64_t wall_ns[2], difference_ns;
	struct step_diff *steps; /* those with the largest difference on the path first */
	size_t step_count;
	struct step_path engine[2];
	int64_t engine_factors[DIFF_FACTORS];
};

/* The runs must outlive it. Of runs without spans (and with `running` set) tasks alone are
 * compared: each step with its facts and its reason. 0, -ENOMEM, or -EINVAL: the spans of a run do
 * not add up to its wall time. run_diff_clear in any case. */
int run_diff_make(struct run_diff *diff, const struct diff_run *from, const struct diff_run *to);
void run_diff_clear(struct run_diff *diff);
/* Static: the name in the API. */
const char *step_state_key(enum step_state state);
