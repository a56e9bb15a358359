/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/path_change.h"

#include <math.h>

#include "tune/diff/share_out.h"

#define DIVIDED_FIRST DIFF_TASKS /* shares[0]; from here on: tasks, input, classes */
#define DIVIDED       (DIFF_FACTORS - DIVIDED_FIRST)

/* What growth of the input costs each task of the step, while the run waited for it. */
static double input_ns(const struct step_path *from, const struct step_path *to, double ns_per_byte)
{
	double n = (double)from->tasks, more = (double)to->tasks, grown, awaited;

	if (ns_per_byte < 0 || from->input_bytes < 0 || to->input_bytes < 0)
		return 0;
	if (!(from->task_wall_ns > 0) || !(to->task_wall_ns > 0))
		return 0;
	grown = to->input_bytes / more - from->input_bytes / n;
	awaited = ((double)from->running_ns + (double)to->running_ns) /
		  (from->task_wall_ns + to->task_wall_ns);
	/* It costs no more than the task with more input took. */
	return fmax(-(double)from->running_ns / n,
		    fmin((double)to->running_ns / more, grown * ns_per_byte * fmin(1, awaited)));
}

static void divide(const struct step_path *from, const struct step_path *to, double ns_per_byte,
		   double shares[DIVIDED])
{
	double n = (double)from->tasks, more = (double)to->tasks, count = (n + more) / 2;
	double mean = ((double)from->running_ns / n + (double)to->running_ns / more) / 2;
	double input = input_ns(from, to, ns_per_byte);

	shares[0] = (more - n) * mean;
	shares[DIFF_INPUT - DIVIDED_FIRST] = input * count;
	for (size_t i = 0; i < DIFF_CLASS_COUNT; i++) {
		double before = (double)from->classes[i] / n, after = (double)to->classes[i] / more;
		double part = mean > 0 ? (before + after) / 2 / mean : 0;

		shares[DIFF_CLASS_FIRST - DIVIDED_FIRST + i] =
			(after - before - input * part) * count;
	}
}

static void find(const struct step_path *from, const struct step_path *to, double ns_per_byte,
		 int64_t ret[DIFF_FACTORS])
{
	int64_t grown = to->running_ns - from->running_ns;
	double shares[DIVIDED] = { 0 };

	for (size_t i = 0; i < DIFF_FACTORS; i++)
		ret[i] = 0;
	ret[DIFF_WAITING] = to->waiting_ns - from->waiting_ns;
	if (from->tasks && to->tasks)
		divide(from, to, ns_per_byte, shares);
	else
		shares[0] = (double)grown;
	share_out(shares, DIVIDED, grown, ret + DIVIDED_FIRST);
}

void path_change_find(const struct step_path *from, const struct step_path *to, double ns_per_byte,
		      int64_t ret[DIFF_FACTORS])
{
	find(from, to, ns_per_byte, ret);
}

void path_change_find_engine(const struct step_path *from, const struct step_path *to,
			     int64_t ret[DIFF_FACTORS])
{
	struct step_path before = *from, after = *to;

	before.tasks = after.tasks = 1;
	find(&before, &after, -1, ret);
}
