/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* How long tasks take on a number of slots, by list scheduling: of those that are ready the one
 * with the lowest number begins first. Pure. */
struct slot_job {
	double ready; /* not before, whatever else it waits for */
	double lag;   /* from its last input to its begin, where a slot is free */
	double duration, weight;
};

/* `to` needs what `from` has ready so long after its begin. from < to. */
struct slot_need {
	size_t from, to;
	double after;
};

/* needs: sorted by from. Sets *ret to when the last one ends. 0, or -ENOMEM. */
int slot_schedule(const struct slot_job *jobs, size_t job_count, const struct slot_need *needs,
		  size_t need_count, double slots, double *ret);
