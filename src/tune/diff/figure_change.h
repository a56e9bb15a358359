/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/finding.h"
#include "tune/diff/step_side.h"

/*
 * Whether the tasks of a step have more of a figure in one run than in another: their medians
 * differ by a tenth at least, and, where there are tasks enough to judge it, by more than the tasks
 * of one run differ among each other (rank_sum.h). Pure.
 */
struct figure_change {
	double ratio; /* of the medians; below 0: not known */
	int toward;   /* 1: more, -1: less, 0: the same, or not known */
	enum finding_confidence confidence;
	bool judged; /* both runs have FIGURE_CHANGE_TASKS or more */
};
#define FIGURE_CHANGE_TASKS 5

struct figure_change figure_change_find(const struct side_values *from,
					const struct side_values *to);
