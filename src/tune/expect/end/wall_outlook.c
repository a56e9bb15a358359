/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/end/wall_outlook.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/history/student.h"

/* How runs, host types and tasks of a run are assumed to differ, as in unusual_kind.c. */
#define RUNS_SPREAD   0.10
#define RUNS_FREEDOM  8
#define HOST_SPREAD   0.30
#define TASKS_SPREAD  0.15
#define TASKS_FREEDOM 3
/* With so many tasks their own distribution is taken instead of an assumed one. */
#define TASKS_MANY 40
#define FLOOR_NS   1e9
/* The shifts: sinh of equal steps, so that they are dense near 0 and reach far. */
#define SHIFT_STEP 0.2
/* Tails of tasks are heavier than normal ones. */
#define SIBLING_FREEDOM 4
/* Without other runs so many of its own tasks are needed. */
#define OWN_TASKS_LEAST 5
/* By so much of its time a task goes on at most that runs longer than history explains. */
#define LITTLE_MORE 0.5
#define CHANCE_PART 0.5

/* Of the weights by Student's t: those of its density. */
static double density(double t, double freedom)
{
	return pow(1 + t * t / freedom, -(freedom + 1) / 2);
}

static void normalise(struct wall_outlook *outlook)
{
	double sum = 0;
	for (size_t i = 0; i < OUTLOOK_SHIFTS; i++)
		sum += outlook->weights[i];
	for (size_t i = 0; i < OUTLOOK_SHIFTS; i++)
		outlook->weights[i] = sum > 0 ? outlook->weights[i] / sum : 1.0 / OUTLOOK_SHIFTS;
}

static void assume_shifts(struct wall_outlook *outlook, double error, double freedom,
			  const struct run_pace *pace)
{
	for (int i = 0; i < OUTLOOK_SHIFTS; i++) {
		double at = SHIFT_STEP * (i - (OUTLOOK_SHIFTS - 1) / 2.0);
		outlook->shifts[i] = error * (pace->mean + pace->scale * sinh(at));
		outlook->weights[i] = density(sinh(at), freedom) * cosh(at);
	}
	normalise(outlook);
}

/* The differences of tasks from the median of their run, as quantiles: of many tasks their own, of
 * few ones those of a t distribution that an assumption moderates. */
static double find_rests(const struct figure_model *model, double rests[OUTLOOK_RESTS])
{
	bool own = model->rest_count >= TASKS_MANY;
	double freedom = TASKS_FREEDOM, sum = TASKS_FREEDOM * TASKS_SPREAD * TASKS_SPREAD, spread;

	if (model->within > 0)
		for (size_t i = 0; i < model->rest_count; i++)
			sum += pow(fmin(fabs(model->rests[i] - model->centre), 3 * model->within),
				   2);
	if (model->within > 0 && model->rest_count > model->run_count)
		freedom += (double)(model->rest_count - model->run_count);
	spread = sqrt(sum / freedom);
	for (size_t i = 0; i < OUTLOOK_RESTS; i++) {
		double p = ((double)i + 0.5) / OUTLOOK_RESTS;
		rests[i] = own && model->within > 0
				   ? quantile_of(model->rests, model->rest_count, p) - model->centre
				   : spread * student_exceeded(1 - p, freedom);
	}
	return spread;
}

/* The probability that a rest is above. */
static double part_above(const struct wall_outlook *outlook, double rest)
{
	size_t above = 0;
	for (size_t i = 0; i < OUTLOOK_RESTS; i++)
		above += outlook->rests[i] > rest;
	return ((double)above + 0.5) / (OUTLOOK_RESTS + 1);
}

/* What a task of the run says about the shift: one that is done where it lies, one that runs that
 * it lies above. */
static void learn(struct wall_outlook *outlook, const struct step_task *task, double distance,
		  double spread)
{
	for (size_t i = 0; i < OUTLOOK_SHIFTS; i++) {
		double rest = distance - outlook->shifts[i];
		outlook->weights[i] *= task->end == STEP_TASK_RUNS
					       ? part_above(outlook, rest)
					       : density(rest / spread, SIBLING_FREEDOM);
	}
	normalise(outlook);
}

static void learn_of_run(struct wall_outlook *outlook, const struct figure_model *model,
			 const struct step_history *history, const struct step_history_run *run,
			 double spread)
{
	for (size_t i = run->first; i < run->first + run->count; i++) {
		const struct step_task *task = history->tasks[i];
		double rest;
		if ((task->end != STEP_TASK_SUCCEEDED && task->end != STEP_TASK_RUNS) ||
		    !figure_model_rest(model, task, &rest))
			continue;
		outlook->siblings += task->end == STEP_TASK_SUCCEEDED;
		learn(outlook, task, rest - model->centre, spread);
	}
}

/* How far the median of its tasks that are done is from the history. */
static int find_distance(struct wall_outlook *outlook, const struct figure_model *model,
			 const struct step_history *history, const struct step_history_run *run,
			 double error)
{
	CLEANUP(freep) double *rests = malloc((run->count + 1) * sizeof(*rests));
	size_t count = 0;

	if (!rests)
		return -ENOMEM;
	for (size_t i = run->first; i < run->first + run->count; i++)
		if (history->tasks[i]->end == STEP_TASK_SUCCEEDED)
			count += figure_model_rest(model, history->tasks[i], &rests[count]);
	outlook->has_distance = count > 0;
	outlook->distance = (median_of(rests, count) - model->centre) / error;
	return 0;
}

static bool has_wall(const struct step_task *task)
{
	return task->end == STEP_TASK_SUCCEEDED && task->wall_ns >= 0;
}

/* The median logarithm over the run's tasks, then the distance from it by place. */
static int add_profile(struct wall_outlook *outlook, const struct step_history *history,
		       const struct step_history_run *run)
{
	CLEANUP(freep) double *walls = malloc((2 * run->count + 1) * sizeof(*walls));
	double *sorted = walls + run->count, median;
	size_t count = 0;

	if (!walls)
		return -ENOMEM;
	for (size_t i = run->first; i < run->first + run->count; i++)
		if (has_wall(history->tasks[i]))
			walls[count++] = log(history->tasks[i]->wall_ns + FLOOR_NS);
	if (count == 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		sorted[i] = walls[i];
	median = median_of(sorted, count);
	for (size_t i = 0; i < OUTLOOK_PLACES; i++)
		outlook->profiles[outlook->profile_count][i] =
			walls[i * count / OUTLOOK_PLACES] - median;
	outlook->profile_count++;
	return 0;
}

static int find_profiles(struct wall_outlook *outlook, const struct step_history *history)
{
	int error = 0;
	for (size_t i = history->run_count;
	     i > 0 && outlook->profile_count < OUTLOOK_PROFILES && error == 0; i--)
		error = add_profile(outlook, history, &history->runs[i - 1]);
	return error;
}

static int find_models(const struct step_history *history, struct figure_model *model,
		       struct figure_model *raw)
{
	struct model_assumption assumed = { .between = RUNS_SPREAD, .freedom = RUNS_FREEDOM };
	struct model_assumption without_inputs = assumed;
	int error = figure_model_find(history, FIGURE_WALL, FLOOR_NS, assumed, model);

	without_inputs.inputs_ignored = true;
	return error ? error
		     : figure_model_find(history, FIGURE_WALL, FLOOR_NS, without_inputs, raw);
}

static void take(struct wall_outlook *outlook, const struct figure_model *model,
		 const struct figure_model *raw)
{
	outlook->fit = model->fit;
	outlook->centre = model->centre;
	outlook->raw_centre = raw->centre;
	outlook->history_runs = model->run_count;
	outlook->history_tasks = model->task_count;
	find_rests(raw, outlook->raw_rests);
}

static int by_runs_before(const struct step_history *history, const struct step_history_run *run,
			  const struct baseline *baseline, const struct run_pace *pace,
			  struct wall_outlook *outlook)
{
	CLEANUP(figure_model_clear) struct figure_model model = { 0 };
	CLEANUP(figure_model_clear) struct figure_model raw = { 0 };
	double distance, spread;
	int error = find_models(&baseline->history, &model, &raw);

	if (error == 0)
		error = find_profiles(outlook, &baseline->history);
	if (error)
		return error;
	take(outlook, &model, &raw);
	outlook->known = model.run_count > 0;
	outlook->other_host = run ? baseline->other_host : pace->other_host;
	distance =
		hypot(figure_model_error(&model, SIZE_MAX), outlook->other_host ? HOST_SPREAD : 0);
	assume_shifts(outlook, distance, model.freedom, pace);
	spread = find_rests(&model, outlook->rests);
	if (!outlook->known || !run)
		return 0;
	learn_of_run(outlook, &model, history, run, spread);
	return find_distance(outlook, &model, history, run, distance);
}

/* Where there is no other run: its own tasks that are done are the history, and show no shift. */
static int by_own_tasks(const struct step_history *history, const struct step_history_run *run,
			struct wall_outlook *outlook)
{
	CLEANUP(figure_model_clear) struct figure_model model = { 0 };
	CLEANUP(figure_model_clear) struct figure_model raw = { 0 };
	CLEANUP(step_history_clear) struct step_history own = { 0 };
	struct run_pace pace = run_pace_unknown();
	int error = baseline_own(history, run, &own);

	if (error == 0)
		error = find_models(&own, &model, &raw);
	if (error)
		return error;
	take(outlook, &model, &raw);
	outlook->known = model.task_count >= OWN_TASKS_LEAST;
	outlook->history_runs = 0;
	outlook->siblings = model.task_count;
	assume_shifts(outlook, 0, model.freedom, &pace);
	find_rests(&model, outlook->rests);
	return find_profiles(outlook, &own);
}

struct run_pace run_pace_unknown(void)
{
	return (struct run_pace){ .mean = 0, .scale = 1 };
}

int wall_outlook_find(const struct step_history *history, const char *run_id,
		      const struct run_pace *pace, struct wall_outlook *ret)
{
	const struct step_history_run *run = step_history_run(history, run_id);
	CLEANUP(baseline_clear) struct baseline baseline = { 0 };
	struct wall_outlook outlook = { 0 };
	int error = baseline_find(history, run_id, &baseline);

	if (error)
		return error;
	if (baseline.history.run_count == 0 && run)
		error = by_own_tasks(history, run, &outlook);
	else
		error = by_runs_before(history, run, &baseline, pace, &outlook);
	if (error == 0)
		*ret = outlook;
	return error;
}

double wall_outlook_shift(const struct wall_outlook *outlook, double chance)
{
	double sum = 0;
	for (size_t i = 0; i < OUTLOOK_SHIFTS; i++) {
		sum += outlook->weights[i];
		if (sum >= chance)
			return outlook->shifts[i];
	}
	return outlook->shifts[OUTLOOK_SHIFTS - 1];
}

static bool input_is_usable(const struct wall_outlook *outlook, const struct step_task *task)
{
	return task &&
	       (!outlook->fit.known ||
		(task->input_bytes > 0 && input_fit_covers(&outlook->fit, log(task->input_bytes))));
}

struct task_view wall_outlook_view(const struct wall_outlook *outlook, const struct step_task *task)
{
	struct task_view view = { .rests = outlook->raw_rests, .centre = outlook->raw_centre };

	if (input_is_usable(outlook, task)) {
		view.rests = outlook->rests;
		view.centre = outlook->centre;
		if (outlook->fit.known)
			view.centre += outlook->fit.slope * log(task->input_bytes);
	}
	view.floor_ns = FLOOR_NS;
	view.so_far = log(fmax(task->wall_ns, 0) + FLOOR_NS);
	return view;
}

double wall_outlook_draw(const struct wall_outlook *outlook, const struct step_task *task,
			 double shift, double chance)
{
	struct task_view view = wall_outlook_view(outlook, task);
	size_t first = 0, at;
	double base = view.centre + shift;

	while (first < OUTLOOK_RESTS && base + view.rests[first] <= view.so_far)
		first++;
	if (first == OUTLOOK_RESTS) /* longer than history explains: a little more */
		return exp(view.so_far) * (1 + LITTLE_MORE * chance) - FLOOR_NS;
	at = first + (size_t)(chance * (double)(OUTLOOK_RESTS - first));
	at = at < OUTLOOK_RESTS ? at : OUTLOOK_RESTS - 1;
	return exp(base + view.rests[at]) - FLOOR_NS;
}

/* What a profile has in it of chance is not added twice. */
double wall_outlook_draw_next(const struct wall_outlook *outlook, double place, double profile,
			      double shift, double chance)
{
	size_t of_run = (size_t)(profile * (double)outlook->profile_count);
	size_t at = (size_t)(place * OUTLOOK_PLACES), rest = (size_t)(chance * OUTLOOK_RESTS);
	double wall = outlook->raw_centre + shift + CHANCE_PART * outlook->rests[rest];

	if (outlook->profile_count > 0)
		wall += outlook->profiles[of_run][at];
	return fmax(exp(wall) - FLOOR_NS, 0);
}
