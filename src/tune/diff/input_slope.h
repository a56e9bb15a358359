/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "tune/diff/diff_run.h"
#include "tune/diff/step_groups.h"

/*
 * How much longer a task of a step takes for each byte of input more: the median of the slopes of
 * all pairs of tasks (Theil and Sen). A pair is of one run, so that what else differs between the
 * runs does not count. Pure.
 */
struct input_slope {
	double ns_per_byte; /* 0: the input does not matter. Below 0: not known */
	size_t tasks;       /* on which it rests */
};

/* Fewer than so many tasks with inputs that differ by a tenth at least: not known. */
#define INPUT_SLOPE_TASKS 6
/* Of more tasks of a run so many are taken, evenly over their inputs. */
#define INPUT_SLOPE_MOST 100

/* Of the same step in two runs. 0, or -ENOMEM. */
int input_slope_find(const struct diff_run *const runs[2], const struct step_group *const steps[2],
		     struct input_slope *ret);
