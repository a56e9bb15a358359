/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/wake_cost.h"

#include <math.h>

/* The demo's pipes took 9 to 14 us more CPU time for each time that one program woke the other, on
 * two CPUs of a virtual machine rather than on one (docs/sizes.md). A machine of its own needs less
 * for it. */
#define EACH_NS 6000.0
#define MOST    0.2 /* of its CPU time */

double wake_cost_factor(const struct wake_cost *cost, const struct replay_task *task)
{
	double part = task->cpu_ns > 0 ? fmin(task->pipe_wakes * EACH_NS / task->cpu_ns, MOST) : 0;

	if (cost->had_several == cost->has_several)
		return 1;
	return cost->has_several ? 1 + part : 1 - part;
}
