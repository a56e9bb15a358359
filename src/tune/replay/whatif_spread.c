/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/whatif_spread.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define RUNS_MIN  3     /* earlier runs: fewer say nothing of a spread */
#define ALIKE_MIN 3     /* tasks of a step */
#define LEAST     0.015 /* no two runs are more alike than this (bench/whatif.sh) */
#define MOST      0.15  /* of tasks of a step: what differs more has other inputs */
#define OTHERWISE 0.08  /* where there are neither runs nor tasks to compare */
#define NORMAL    1.645 /* standard deviations of a normal distribution: 90 % are within */
#define DEVIATION 1.483 /* times the median deviation: the standard deviation of a normal one */

struct sorted {
	const char *step;
	double log_cpu; /* of a task */
	double cpu_ns;
};

static int by_step(const void *one_, const void *other_)
{
	const struct sorted *one = one_, *other = other_;
	int order = strcmp(one->step, other->step);

	return order ? order : (one->log_cpu > other->log_cpu) - (one->log_cpu < other->log_cpu);
}

static int by_value(const void *one_, const void *other_)
{
	const double *one = one_, *other = other_;

	return (*one > *other) - (*one < *other);
}

/* From the median deviation from the median. The tasks are sorted; room: for as many numbers. */
static double deviation(const struct sorted *tasks, size_t count, double *room)
{
	double median = tasks[count / 2].log_cpu;

	for (size_t i = 0; i < count; i++)
		room[i] = fabs(tasks[i].log_cpu - median);
	qsort(room, count, sizeof(*room), by_value);
	return DEVIATION * room[count / 2];
}

/* The mean over the steps that have enough tasks, by their CPU time. */
static double spread_of_steps(const struct sorted *tasks, size_t count, double *room)
{
	double sum = 0, weight = 0;

	for (size_t from = 0, to; from < count; from = to) {
		double cpu_ns = 0;

		for (to = from; to < count && strcmp(tasks[to].step, tasks[from].step) == 0; to++)
			cpu_ns += tasks[to].cpu_ns;
		if (to - from < ALIKE_MIN)
			continue;
		sum += cpu_ns * fmin(deviation(tasks + from, to - from, room), MOST);
		weight += cpu_ns;
	}
	return weight > 0 ? sum / weight : OTHERWISE;
}

int whatif_spread_of_work(const struct replay_run *run, struct whatif_spread *ret)
{
	CLEANUP(freep) struct sorted *tasks = calloc(run->task_count + 1, sizeof(*tasks));
	CLEANUP(freep) double *room = calloc(run->task_count + 1, sizeof(*room));
	size_t count = 0;

	if (!tasks || !room)
		return -ENOMEM;
	if (run->history.runs >= RUNS_MIN) {
		ret->runs = fmax(run->history.spread, LEAST);
		ret->runs_seen = run->history.runs;
		return 0;
	}
	for (size_t i = 0; i < run->task_count; i++)
		if (replay_task_ran(&run->tasks[i]) && run->tasks[i].cpu_ns > 0)
			tasks[count++] =
				(struct sorted){ run->tasks[i].step, log(run->tasks[i].cpu_ns),
						 run->tasks[i].cpu_ns };
	qsort(tasks, count, sizeof(*tasks), by_step);
	ret->runs = fmax(spread_of_steps(tasks, count, room), LEAST);
	ret->runs_seen = 0;
	return 0;
}

void whatif_spread_apply(struct whatif *whatif)
{
	const struct whatif_spread *spread = &whatif->spread;
	/* The run that was measured, and the one that would be, differ from the usual one each. */
	double variance = 2 * spread->runs * spread->runs +
			  spread->calibration * spread->calibration +
			  spread->unknown * spread->unknown + spread->cores * spread->cores;
	double most = exp(NORMAL * sqrt(variance));

	whatif->low_ns = whatif->wall_ns / most;
	whatif->high_ns = whatif->wall_ns * most;
}
