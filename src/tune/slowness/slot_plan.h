/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "tune/slowness/slot_use.h"

/*
 * What a run would gain if its engine ran more tasks at once: its tasks are scheduled again, in the
 * order in which they began, each once its inputs are there and slots are free. Pure.
 */
struct slot_plan {
	double advised;  /* so many slots would do; 0: more would change nothing */
	double saves_ns; /* by so many, where each task has the CPUs that it has now */
};

/* use and weights: of the flow. cpus: of its hosts; more slots are not advised, but for twice as
 * many as now. 0, or -ENOMEM. */
int slot_plan_find(const struct flow *flow, const struct slot_use *use, const double *weights,
		   double cpus, struct slot_plan *ret);
/* Whether a task of that weight which was ready then had no room for most of that time. */
bool slot_plan_is_full(const struct slot_use *use, double weight, int64_t from, int64_t to);
