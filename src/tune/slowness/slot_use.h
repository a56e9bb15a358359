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
	} * points;           /* by time */
	size_t count;
	double peak; /* the most that were taken for more than a hundredth of the time */
	struct slot_size {
		double weight; /* of tasks */
		double *full;  /* by point: ns until then in which one of them had no room */
	} * sizes;
	size_t size_count;
};
#define SLOT_SIZES_MAX 64 /* of more weights each is taken as the next smaller one */

/* weights: beside the tasks of the flow, the slots that each takes. 0, or -ENOMEM; slot_use_clear
 * in any case. */
int slot_use_make(struct slot_use *use, const struct flow *flow, const double *weights);
void slot_use_clear(struct slot_use *use);
/* The share of the time between two instants in which a task of that weight, one of those that
 * slot_use_make was given, had no room beside the others. */
double slot_use_full(const struct slot_use *use, double weight, int64_t from, int64_t to);
