/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/expect/remaining.h"
#include "tune/expect/end/run_simulation.h"

/* What is played is as sure as if the order of the steps were known exactly: it is not, least of
 * all by a single run. Intervals are wider by these factors on logarithms, which were chosen on
 * runs that bench/expect.sh makes by other draws than those that it judges by. */
#define WIDER        0.80
#define WIDER_OF_ONE 0.65
#define WIDER_BELOW  1.2 /* runs end before more often than after */

/* What is not a number counts as the most. */
static double bounded(double ns)
{
	return fmin(ns, REMAINING_NS_MOST);
}

void remaining_widen(struct remaining *remaining, double lower, double upper)
{
	double median = bounded(fmax(remaining->median_ns, 1));
	double low = bounded(fmax(remaining->low_ns, 1)), high = bounded(remaining->high_ns);

	remaining->median_ns = bounded(remaining->median_ns);
	remaining->low_ns = median * pow(low / median, lower);
	remaining->high_ns = bounded(median * pow(fmax(high, 1) / median, upper));
}

static double progress_of(double done_ns, double work_ns)
{
	return done_ns + work_ns > 0 ? done_ns / (done_ns + work_ns) : -1;
}

static struct remaining summary(double *ends, size_t count, size_t history_runs)
{
	struct remaining remaining = { .known = true };
	double wider = WIDER + WIDER_OF_ONE / sqrt(fmax((double)history_runs, 1));

	quantiles_sort(ends, count);
	remaining.low_ns = quantile_of(ends, count, 0.1);
	remaining.median_ns = quantile_of(ends, count, 0.5);
	remaining.high_ns = quantile_of(ends, count, 0.9);
	remaining_widen(&remaining, wider * WIDER_BELOW, wider);
	return remaining;
}

/* A step is known by itself, even where the run is not: but what it waits for must be. */
static void fill_step(const struct run_plan *plan, struct run_simulation *simulation, size_t at,
		      struct run_remaining *ret)
{
	const struct plan_step *step = &plan->steps[at];
	struct remaining *remaining = &ret->steps[at];

	ret->tasks_to_come[at] = step->tasks - step->ended - step->running_count;
	*remaining = (struct remaining){ .progress = -1 };
	if (plan->known && step->tasks > 0) {
		*remaining = summary(simulation->step_ends + at * simulation->count,
				     simulation->count, plan->history_runs);
		remaining->progress = progress_of(step->done_ns, simulation->work_ns[at]);
	}
	remaining->history_runs = step->outlook.history_runs;
	remaining->history_tasks = step->outlook.history_tasks;
}

static void fill(const struct run_plan *plan, struct run_simulation *simulation,
		 struct run_remaining *ret)
{
	double done_ns = 0, work_ns = 0;

	for (size_t i = 0; i < plan->step_count; i++) {
		fill_step(plan, simulation, i, ret);
		done_ns += plan->steps[i].done_ns;
		work_ns += simulation->work_ns[i];
	}
	ret->run = (struct remaining){ .progress = -1 };
	if (plan->known) {
		ret->run = summary(simulation->run_ends, simulation->count, plan->history_runs);
		ret->run.progress = progress_of(done_ns, work_ns);
	}
	ret->pace = plan->pace;
	ret->run.history_runs = plan->history_runs;
	ret->run.history_tasks = plan->history_tasks;
}

int remaining_of_run(const struct step_history *steps, size_t step_count, const char *run_id,
		     int64_t now_at, struct run_remaining *ret)
{
	CLEANUP(run_plan_clear) struct run_plan plan = { 0 };
	CLEANUP(run_simulation_clear) struct run_simulation simulation = { 0 };
	struct run_remaining made = { 0 };
	int error = run_plan_find(steps, step_count, run_id, now_at, &plan);

	if (error == 0)
		error = run_simulate(&plan, &simulation);
	if (error)
		return error;
	made.steps = calloc(step_count + 1, sizeof(*made.steps));
	made.tasks_to_come = calloc(step_count + 1, sizeof(*made.tasks_to_come));
	if (!made.steps || !made.tasks_to_come) {
		run_remaining_clear(&made);
		return -ENOMEM;
	}
	fill(&plan, &simulation, &made);
	*ret = made;
	return 0;
}

void run_remaining_clear(struct run_remaining *remaining)
{
	free(remaining->steps);
	free(remaining->tasks_to_come);
	*remaining = (struct run_remaining){ 0 };
}
