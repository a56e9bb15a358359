/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "tune/diff/step_path.h"

/*
 * Divides the difference between what a step was of the wall time of two runs. The time while its
 * tasks ran is n tasks of m ns each. With the means of both runs, the number of tasks counts for
 * (n' - n) (m + m') / 2 and the rest, (m' - m) (n + n') / 2, is of each task: the input counts for
 * as much as its growth costs by the slope of this step, and what is left is of classes, of which
 * more input is taken to need more of each alike. Pure.
 */

/* ns_per_byte of input; below 0: not known, then the input counts for nothing. Sets ret, of which
 * the factors add up to the difference of running and waiting, to the ns. */
void path_change_find(const struct step_path *from, const struct step_path *to, double ns_per_byte,
		      int64_t ret[DIFF_FACTORS]);
/* The same of the engine: classes alone. */
void path_change_find_engine(const struct step_path *from, const struct step_path *to,
			     int64_t ret[DIFF_FACTORS]);
