/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "tune/critical_path.h"

/* How many slots of its engine the tasks of a run took over time. Pure. */
struct slot_use {
	struct slot_point {
		int64_t at;
		double taken; /* from then on */
		double sum;   /* slots × ns until then */
	} * points;           /* by time */
	size_t count;
	double peak; /* the most that were taken for more than a hundredth of the time */
};

/* weights: beside the tasks of the flow, the slots that each takes. 0, or -ENOMEM; slot_use_clear
 * in any case. */
int slot_use_make(struct slot_use *use, const struct flow *flow, const double *weights);
void slot_use_clear(struct slot_use *use);
/* The slots that were taken between two instants, on average. */
double slot_use_mean(const struct slot_use *use, int64_t from, int64_t to);
