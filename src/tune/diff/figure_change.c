/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/figure_change.h"

#include <math.h>

#include "tune/diff/rank_sum.h"

#define DIFFERS  1.1
#define PROBABLE 1.64 /* standard deviations: one in ten is so by chance */
#define SURE     2.58 /* one in a hundred */

struct figure_change figure_change_find(const struct side_values *from,
					const struct side_values *to)
{
	struct figure_change change = { .ratio = -1, .confidence = CONFIDENCE_LOW };
	double deviations = fabs(rank_sum(from->values, from->count, to->values, to->count));

	if (!from->count || !to->count)
		return change;
	change.judged = from->count >= FIGURE_CHANGE_TASKS && to->count >= FIGURE_CHANGE_TASKS;
	if (from->median > 0)
		change.ratio = to->median / from->median;
	if (change.judged && deviations < PROBABLE)
		return change;
	if (deviations >= PROBABLE)
		change.confidence = deviations >= SURE ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	if (to->median > DIFFERS * from->median)
		change.toward = 1;
	else if (from->median > DIFFERS * to->median)
		change.toward = -1;
	return change;
}
