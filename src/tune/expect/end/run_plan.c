/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/end/run_plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"

/* A step that did not begin so long after it could has no task to come: so many usual waits, and a
 * time for runs where there was hardly any. */
#define LATE_LAGS 5
#define LATE_NS   600e9

/* The pace of a run is as if so many more steps were as the history lets expect. */
#define PACE_ASSUMED 6.0
/* A step that is farther off counts as so many standard errors. */
#define PACE_FAR 4.0

struct planner {
	const struct step_history *histories;
	const char *run_id;
	int64_t now_at;
	const struct step_flow *flow;
	double elapsed_ns; /* of the run */
	struct run_plan plan;
};

static bool is_ended(const struct step_task *task)
{
	return task->end == STEP_TASK_SUCCEEDED;
}

static int64_t run_begin(const struct planner *planner)
{
	int64_t begin = planner->now_at;
	for (size_t i = 0; i < planner->plan.step_count; i++) {
		const struct step_history_run *run =
			step_history_run(&planner->histories[i], planner->run_id);
		if (run && run->started_at > 0 && run->started_at < begin)
			begin = run->started_at;
	}
	return begin;
}

/* How many tasks of the run a step shows. Attempts that failed are made again. */
static size_t seen(const struct planner *planner, size_t at)
{
	const struct step_history *history = &planner->histories[at];
	const struct step_history_run *run = step_history_run(history, planner->run_id);
	return run ? run->ended[STEP_TASK_SUCCEEDED] + run->ended[STEP_TASK_RUNS] : 0;
}

static size_t ended_of(const struct planner *planner, size_t at)
{
	const struct step_history_run *run =
		step_history_run(&planner->histories[at], planner->run_id);
	return run ? run->ended[STEP_TASK_SUCCEEDED] : 0;
}

/* When the last task of a step in this run ended, in ns from now on. */
static double last_end(const struct planner *planner, size_t at)
{
	const struct step_history *history = &planner->histories[at];
	const struct step_history_run *run = step_history_run(history, planner->run_id);
	double last = -INFINITY;

	for (size_t i = 0; run && i < run->count; i++) {
		const struct step_task *task = history->tasks[run->first + i];
		if (is_ended(task))
			last = fmax(last, (double)(task->ended_at - planner->now_at));
	}
	return last;
}

/* Whether all that a step waits for ended so long ago that nothing more of it comes. */
static bool is_late(const struct planner *planner, size_t at)
{
	const struct flow_step *step = &planner->flow->steps[at];
	double allowed = LATE_LAGS * step->lag_ns + LATE_NS, last = -INFINITY;
	size_t n = planner->plan.step_count;

	if (step->closest == STEP_FLOW_NONE)
		return planner->elapsed_ns - step->start_ns > LATE_LAGS * step->start_ns + LATE_NS;
	for (size_t i = 0; i < n; i++) {
		if (!planner->flow->follows[at * n + i])
			continue;
		if (ended_of(planner, i) < planner->plan.steps[i].tasks)
			return false;
		last = fmax(last, last_end(planner, i));
	}
	return -last > allowed;
}

/* As many as earlier runs had; where the step before it has more or fewer tasks than then, in
 * proportion. A step that joins all has one. */
static size_t expect_tasks(const struct planner *planner, size_t at)
{
	const struct flow_step *step = &planner->flow->steps[at];
	size_t now = seen(planner, at), usual = step->tasks;

	if (is_late(planner, at))
		return now;
	if (step->closest == STEP_FLOW_NONE)
		return ended_of(planner, at) > 0 || now > usual ? now : usual;
	if (usual > 1) {
		const struct flow_step *closest = &planner->flow->steps[step->closest];
		double more = closest->tasks > 1
				      ? (double)planner->plan.steps[step->closest].tasks /
						(double)closest->tasks
				      : 1;
		usual = (size_t)(more * (double)usual + 0.5);
	}
	return now > usual ? now : usual;
}

static void add_task(struct planner *planner, struct plan_step *step, const struct step_task *task)
{
	if (task->end == STEP_TASK_RUNS)
		step->running[step->running_count++] = task;
	else if (is_ended(task))
		step->ends[step->ended++] = (double)(task->ended_at - planner->now_at);
	if (task->end == STEP_TASK_RUNS || is_ended(task))
		step->done_ns += fmax(task->wall_ns, 0);
}

static void fill_tasks(struct planner *planner, size_t at)
{
	const struct step_history *history = &planner->histories[at];
	const struct step_history_run *run = step_history_run(history, planner->run_id);
	struct plan_step *step = &planner->plan.steps[at];

	for (size_t i = 0; run && i < run->count; i++)
		add_task(planner, step, history->tasks[run->first + i]);
	quantiles_sort(step->ends, step->ended);
	step->begin_ns = planner->flow->steps[at].start_ns - planner->elapsed_ns;
	step->span_ns = planner->flow->steps[at].span_ns;
	step->lag_ns = planner->flow->steps[at].lag_ns;
	step->closest = planner->flow->steps[at].closest;
}

static int give_tasks(struct planner *planner)
{
	struct run_plan *plan = &planner->plan;
	double *ends;
	const struct step_task **running;

	for (size_t i = 0; i < plan->step_count; i++)
		plan->task_count += plan->steps[i].tasks;
	if (plan->task_count > REMAINING_TASKS)
		return -E2BIG;
	ends = plan->memory[0] = malloc((plan->task_count + 1) * sizeof(*ends));
	running = malloc((plan->task_count + 1) * sizeof(struct step_task *));
	plan->memory[1] = running;
	if (!ends || !running)
		return -ENOMEM;
	for (size_t i = 0; i < plan->step_count; i++) {
		plan->steps[i].ends = ends;
		plan->steps[i].running = running;
		ends += plan->steps[i].tasks;
		running += plan->steps[i].tasks;
		fill_tasks(planner, i);
	}
	return 0;
}

/* The lists of steps before and after each, from the matrix. */
static int give_neighbours(struct planner *planner)
{
	struct run_plan *plan = &planner->plan;
	size_t n = plan->step_count, edges = 0, *list;

	for (size_t i = 0; i < n * n; i++)
		edges += planner->flow->follows[i];
	list = plan->memory[2] = malloc((2 * edges + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct plan_step *step = &plan->steps[i];
		step->before = list;
		for (size_t j = 0; j < n; j++)
			if (planner->flow->follows[i * n + j])
				step->before[step->before_count++] = j;
		step->after = list += step->before_count;
		for (size_t j = 0; j < n; j++)
			if (planner->flow->follows[j * n + i])
				step->after[step->after_count++] = j;
		list += step->after_count;
	}
	return 0;
}

static int find_outlooks(struct planner *planner, const struct run_pace *pace)
{
	struct run_plan *plan = &planner->plan;
	int error = 0;

	for (size_t i = 0; i < plan->step_count && error == 0; i++)
		error = wall_outlook_find(&planner->histories[i], planner->run_id, pace,
					  &plan->steps[i].outlook);
	return error;
}

/* The tasks that the run has begun on host types that are new to their steps. */
static bool is_on_other_hosts(const struct planner *planner)
{
	size_t begun = 0, other = 0;
	for (size_t i = 0; i < planner->plan.step_count; i++) {
		size_t count = seen(planner, i);
		begun += count;
		other += planner->plan.steps[i].outlook.other_host ? count : 0;
	}
	return 2 * other > begun;
}

/* By the steps of which something is done: a few that differ as expected are assumed beside. */
static struct run_pace find_pace(const struct planner *planner)
{
	const struct run_plan *plan = &planner->plan;
	double sum = 0, squares = 0, count = 0, mean;

	for (size_t i = 0; i < plan->step_count; i++) {
		const struct wall_outlook *outlook = &plan->steps[i].outlook;
		double distance = fmax(fmin(outlook->distance, PACE_FAR), -PACE_FAR);
		if (!outlook->has_distance)
			continue;
		sum += distance;
		squares += distance * distance;
		count++;
	}
	mean = sum / (count + PACE_ASSUMED);
	return (struct run_pace){
		.mean = mean,
		.scale = sqrt((squares - count * mean * mean + PACE_ASSUMED) /
			      (count + PACE_ASSUMED)),
		.other_host = is_on_other_hosts(planner),
	};
}

static void note_known(struct run_plan *plan)
{
	plan->known = plan->history_runs > 0;
	for (size_t i = 0; i < plan->step_count; i++) {
		struct plan_step *step = &plan->steps[i];
		plan->history_tasks += step->outlook.history_tasks;
		if (!step->outlook.known && step->running_count > 0)
			plan->known = false;
		if (!step->outlook.known) /* it has no history from which tasks could come */
			step->tasks = step->ended + step->running_count;
	}
}

/* Twice: what steps that are done show of the run is known only then. */
static int give_outlooks(struct planner *planner)
{
	struct run_pace unknown = run_pace_unknown();
	int error = find_outlooks(planner, &unknown);

	if (error)
		return error;
	planner->plan.pace = find_pace(planner);
	error = find_outlooks(planner, &planner->plan.pace);
	note_known(&planner->plan);
	return error;
}

static int find(struct planner *planner)
{
	struct run_plan *plan = &planner->plan;
	int error;

	planner->elapsed_ns = (double)(planner->now_at - run_begin(planner));
	plan->slots = planner->flow->slots;
	plan->history_runs = planner->flow->run_count;
	for (size_t i = 0; i < plan->step_count; i++) {
		size_t at = planner->flow->order[i]; /* those before it come first */
		plan->steps[at].tasks = expect_tasks(planner, at);
	}
	error = give_tasks(planner);
	if (error == 0)
		error = give_neighbours(planner);
	return error ? error : give_outlooks(planner);
}

int run_plan_find(const struct step_history *steps, size_t step_count, const char *run_id,
		  int64_t now_at, struct run_plan *ret)
{
	CLEANUP(step_flow_clear) struct step_flow flow = { 0 };
	struct planner planner = { steps, run_id, now_at, &flow, 0, { .step_count = step_count } };
	int error = step_flow_find(steps, step_count, run_id, &flow);

	if (error)
		return error;
	planner.plan.steps = calloc(step_count + 1, sizeof(*planner.plan.steps));
	error = planner.plan.steps ? find(&planner) : -ENOMEM;
	if (error) {
		run_plan_clear(&planner.plan);
		return error;
	}
	*ret = planner.plan;
	return 0;
}

void run_plan_clear(struct run_plan *plan)
{
	for (size_t i = 0; i < sizeof(plan->memory) / sizeof(*plan->memory); i++)
		free(plan->memory[i]);
	free(plan->steps);
	*plan = (struct run_plan){ 0 };
}
