/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/spot_loss.h"

double spot_lost_of(double sum_ns, double squares_ns2)
{
	return sum_ns > 0 ? squares_ns2 / sum_ns / 2 : 0;
}

double spot_lost_ns(const struct replay_run *run, bool restartable)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < run->task_count; i++) {
		double ns = (double)(run->tasks[i].ended_at - run->tasks[i].started_at);

		if (!replay_task_ran(&run->tasks[i]))
			continue;
		sum += ns;
		squares += ns * ns;
	}
	return SPOT_START_NS + (restartable ? spot_lost_of(sum, squares)
					    : (double)(run->ended_at - run->began_at) / 2);
}
