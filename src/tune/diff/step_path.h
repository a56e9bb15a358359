/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "tune/diff/diff_factor.h"
#include "tune/diff/diff_run.h"

/*
 * How much of the wall time of a run was one step, or the engine. The times of all steps and the
 * engine add up to that of the run, to the ns. Pure.
 */
struct step_path {
	size_t tasks; /* that the run waited for while they ran */
	int64_t running_ns, waiting_ns;
	int64_t classes[DIFF_CLASS_COUNT]; /* they add up to running_ns; the first is DIFF_SERIAL */
	/* Sums over those tasks; below 0: not known of all of them. */
	double input_bytes, task_wall_ns;
};

/* Sets ret[i] to the time of the i-th of `count` steps, and ret[count] to that of the engine.
 * step_of: beside the tasks. 0, or -ENOMEM. */
int step_path_find(const struct diff_run *run, const size_t *step_of, size_t count,
		   struct step_path *ret);
/* Divides so many ns as the wall time is divided; a class never gets more than is left, and what is
 * left is DIFF_UNKNOWN. It is added to the classes. */
void step_path_add_classes(struct step_path *path, const struct wall *wall, int64_t ns);
