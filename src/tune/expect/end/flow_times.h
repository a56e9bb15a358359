/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/history/step_history.h"

/*
 * When the tasks of each step began and ended in one run, for step_flow. Pure.
 */
struct step_times {
	double *starts, *ends; /* ascending, in ns since the run's first task began */
	size_t count;
};

struct flow_times {
	struct step_times *steps; /* one for each step */
	size_t step_count;
	double *memory;
	size_t at_once;      /* the most tasks at once */
	double part_at_most; /* of the run's time in which nearly so many ran */
};

/* The tasks that succeeded in a run. Sets *ret, which flow_times_clear frees. 0 or -ENOMEM. */
int flow_times_find(const struct step_history *steps, size_t step_count, const char *run_id,
		    struct flow_times *ret);
void flow_times_clear(struct flow_times *times);
