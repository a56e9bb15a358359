/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "tune/expect/usual_private.h"

/* What needs no distribution: attempts that ended for lack of a resource, and requests that were
 * overrun by far without a kill. */

/* Attempts that lacked a resource so often by chance with a higher probability are as usual. */
#define CHANCE_MOST  0.01
#define LACKED_LEAST 2
/* Runs differ: attempts of the history count for half, and as if a few more were seen. */
#define HISTORY_WEIGHT 0.5
#define PRIOR_LACKED   0.25
#define PRIOR_OTHER    1.0

#define OVERRUN_FACTOR  1.5
#define OVERRUN_CPUS    0.5  /* beyond the factor: rounding of short tasks */
#define OVERRUN_MEMORY  64e6 /* the same in bytes */
#define OVERRUN_WALL_NS 10e9 /* CPUs of shorter tasks are not judged */

struct attempts {
	double lacked, all;
	size_t runs;
};

static double lacked(const struct step_history_run *run)
{
	return (double)(run->ended[STEP_TASK_OUT_OF_MEMORY] + run->ended[STEP_TASK_OUT_OF_TIME]);
}

static double ended(const struct step_history_run *run)
{
	return (double)(run->count - run->ended[STEP_TASK_RUNS] - run->ended[STEP_TASK_LOST]);
}

static struct attempts attempts_before(const struct usual_view *view)
{
	struct attempts sum = { 0 };
	for (const struct step_history_run *run = view->history->runs; run < view->run; run++) {
		sum.lacked += lacked(run);
		sum.all += ended(run);
		sum.runs++;
	}
	return sum;
}

static double log_gamma(double value)
{
	int sign;
	return lgamma_r(value, &sign);
}

static double log_beta(double a, double b)
{
	return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
}

/* The probability that so many or more of `all` attempts lack a resource, by a history: the tail of
 * the beta-binomial distribution. */
static double chance_of(double many, double all, const struct attempts *history)
{
	double a = HISTORY_WEIGHT * history->lacked + PRIOR_LACKED;
	double b = HISTORY_WEIGHT * (history->all - history->lacked) + PRIOR_OTHER;
	double chance = 0;

	for (size_t i = 0; many + (double)i <= all; i++) {
		double k = many + (double)i;

		chance += exp(log_beta(k + a, all - k + b) - log_beta(a, b) -
			      log_beta(k + 1, all - k + 1) - log(all + 1));
	}
	return fmin(chance, 1);
}

int usual_judge_retries(const struct usual_view *view, const struct unusual_kind *kind,
			struct usual *usual)
{
	struct attempts before = attempts_before(view);
	double many, all, chance, typical;

	if (!view->run || before.runs < USUAL_RUNS_LEAST)
		return 0;
	many = lacked(view->run);
	all = ended(view->run);
	chance = chance_of(many, all, &before);
	if (many < LACKED_LEAST || chance > CHANCE_MOST)
		return 0;
	typical = before.all > 0 ? before.lacked / before.all * all : 0;
	usual_add(usual, (struct unusual){ .kind = kind,
					   .above = true,
					   .value = many,
					   .typical_low = typical,
					   .typical_median = typical,
					   .typical_high = typical,
					   .confidence = usual_confidence(chance, 1),
					   .tasks = (size_t)many,
					   .history_tasks = (size_t)before.all,
					   .history_runs = before.runs });
	return 0;
}

/* The use of a request, in its unit; 0: not by far beyond it. */
static double memory_overrun(const struct step_task *task, double *ret_requested)
{
	*ret_requested = task->memory_requested_bytes;
	if (!(*ret_requested > 0) || task->end == STEP_TASK_OUT_OF_MEMORY ||
	    task->memory_peak_bytes < OVERRUN_FACTOR * *ret_requested + OVERRUN_MEMORY)
		return 0;
	return task->memory_peak_bytes;
}

/* In CPU nanoseconds: the request for as long as it ran. */
static double cpu_overrun(const struct step_task *task, double *ret_requested)
{
	double most = (OVERRUN_FACTOR * task->cpus_requested + OVERRUN_CPUS) * task->wall_ns;

	*ret_requested = task->cpus_requested * task->wall_ns;
	if (!(task->cpus_requested > 0) || task->wall_ns < OVERRUN_WALL_NS || task->cpu_ns < most)
		return 0;
	return task->cpu_ns;
}

/* The task that overruns its request by the most. */
int usual_judge_overrun(const struct usual_view *view, const struct unusual_kind *kind,
			struct usual *usual)
{
	double (*of)(const struct step_task *, double *) =
		kind->figure == FIGURE_MEMORY ? memory_overrun : cpu_overrun;
	struct unusual item = { .kind = kind, .above = true, .confidence = 1 };
	double most = 0;

	for (size_t i = 0; i < view->task_count; i++) {
		double requested, used = of(view->tasks[i], &requested);
		item.tasks += used > 0;
		if (!(used > 0) || used / requested <= most)
			continue;
		most = used / requested;
		item.task = view->tasks[i];
		item.so_far = item.task->end == STEP_TASK_RUNS;
		item.value = used;
		item.typical_low = item.typical_median = item.typical_high = requested;
	}
	if (item.tasks > 0)
		usual_add(usual, item);
	return 0;
}
