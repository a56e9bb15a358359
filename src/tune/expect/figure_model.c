/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/figure_model.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"

/* The variance of a median over that of a mean: pi / 2. */
#define MEDIAN_COST 1.5708
/* A run that is farther from the others counts as being that far, so that one bad run of many does
 * not hide the next. */
#define FAR_SPREADS 3
#define FAR_RUNS    6

struct model_work {
	struct input_point *points; /* of tasks with the figure */
	bool *has_input;
	size_t count, with_input;
	double *medians, *run_tasks, *scratch; /* of runs, of runs, of tasks */
};

static void work_clear(struct model_work *work)
{
	free(work->points);
	free(work->has_input);
	free(work->medians);
	free(work->run_tasks);
	free(work->scratch);
}

static int work_new(const struct step_history *history, struct model_work *work)
{
	size_t tasks = history->task_count + 1, runs = history->run_count + 1;

	work->points = malloc(tasks * sizeof(*work->points));
	work->has_input = malloc(tasks * sizeof(*work->has_input));
	work->scratch = malloc(tasks * sizeof(*work->scratch));
	work->medians = malloc(runs * sizeof(*work->medians));
	work->run_tasks = malloc(runs * sizeof(*work->run_tasks));
	return work->points && work->has_input && work->scratch && work->medians && work->run_tasks
		       ? 0
		       : -ENOMEM;
}

static bool has_point(const struct figure_model *model, const struct step_task *task,
		      struct input_point *ret)
{
	double value = step_figure_of(model->figure, task);

	if (value < 0 || value + model->floor <= 0)
		return false;
	ret->figure_log = log(value + model->floor);
	ret->input_log = task->input_bytes > 0 ? log(task->input_bytes) : 0;
	return true;
}

static void collect(const struct figure_model *model, const struct step_history *history,
		    struct model_work *work)
{
	for (size_t i = 0; i < history->run_count; i++)
		for (size_t j = 0; j < history->runs[i].count; j++) {
			const struct step_task *task = history->tasks[history->runs[i].first + j];
			struct input_point *point = &work->points[work->count];
			if (task->end != STEP_TASK_SUCCEEDED || !has_point(model, task, point))
				continue;
			point->run = i;
			work->has_input[work->count] = task->input_bytes > 0;
			work->with_input += task->input_bytes > 0;
			work->count++;
		}
}

/* Tasks without a known input do not take part, once most have one. */
static int fit_inputs(struct figure_model *model, struct model_work *work)
{
	size_t kept = 0;
	int error;

	if (2 * work->with_input < work->count)
		return 0;
	for (size_t i = 0; i < work->count; i++)
		if (work->has_input[i])
			work->points[kept++] = work->points[i];
	error = input_fit_find(work->points, kept, &model->fit);
	work->count = kept;
	return error;
}

static size_t end_of_run(const struct model_work *work, size_t first)
{
	size_t next = first + 1;
	while (next < work->count && work->points[next].run == work->points[first].run)
		next++;
	return next;
}

/* The median of each run, and of runs with two tasks or more how far their tasks are from it. */
static void find_medians(struct figure_model *model, struct model_work *work)
{
	for (size_t first = 0, next; first < work->count; first = next) {
		double median;
		next = end_of_run(work, first);
		for (size_t i = first; i < next; i++)
			work->scratch[i] = input_fit_rest(&model->fit, &work->points[i]);
		median = median_of(work->scratch + first, next - first);
		if (next - first > 1)
			for (size_t i = first; i < next; i++)
				model->rests[model->rest_count++] = work->scratch[i] - median;
		work->run_tasks[model->run_count] = (double)(next - first);
		work->medians[model->run_count++] = median;
	}
	model->task_count = work->count;
}

static void find_within(struct figure_model *model, struct model_work *work)
{
	for (size_t i = 0; i < model->rest_count; i++)
		work->scratch[i] = model->rests[i];
	model->within = spread_around(work->scratch, model->rest_count, 0);
	for (size_t i = 0; i < model->rest_count; i++)
		model->rests[i] += model->centre;
	if (model->rest_count == 0)
		for (size_t i = 0; i < model->run_count; i++)
			model->rests[model->rest_count++] = work->medians[i];
	quantiles_sort(model->rests, model->rest_count);
}

static double square_sum(const struct figure_model *model, struct model_work *work, double assumed)
{
	double sum = 0, far = INFINITY;

	if (model->run_count >= FAR_RUNS) {
		for (size_t i = 0; i < model->run_count; i++)
			work->scratch[i] = work->medians[i];
		far = FAR_SPREADS *
		      fmax(spread_around(work->scratch, model->run_count, model->centre), assumed);
	}
	for (size_t i = 0; i < model->run_count; i++) {
		double distance = fmin(fabs(work->medians[i] - model->centre), far);
		sum += distance * distance;
	}
	return sum;
}

/* A standard deviation that the assumption moderates while there are few runs, as Smyth does for
 * variances (Statistical Applications in Genetics and Molecular Biology 3, 2004). */
static void find_between(struct figure_model *model, struct model_work *work,
			 struct model_assumption assumed)
{
	double of_tasks = MEDIAN_COST * model->within * model->within / fmax(model->tasks_a_run, 1);
	double variance = assumed.between * assumed.between + of_tasks;
	double runs = model->run_count > 0 ? (double)(model->run_count - 1) : 0;

	model->freedom = assumed.freedom + runs;
	model->between =
		sqrt((assumed.freedom * variance + square_sum(model, work, sqrt(variance))) /
		     model->freedom);
}

static int find(const struct step_history *history, struct model_assumption assumed,
		struct model_work *work, struct figure_model *model)
{
	int error = work_new(history, work);

	model->rests = malloc((history->task_count + 1) * sizeof(*model->rests));
	if (error || !model->rests)
		return -ENOMEM;
	collect(model, history, work);
	if (!assumed.inputs_ignored)
		error = fit_inputs(model, work);
	if (error)
		return error;
	find_medians(model, work);
	model->tasks_a_run = median_of(work->run_tasks, model->run_count);
	model->centre = median_of(work->medians, model->run_count);
	model->most = quantile_of(work->medians, model->run_count, 1);
	find_within(model, work);
	find_between(model, work, assumed);
	return 0;
}

int figure_model_find(const struct step_history *history, enum step_figure figure, double floor,
		      struct model_assumption assumed, struct figure_model *ret)
{
	struct figure_model model = { .figure = figure, .floor = floor };
	struct model_work work = { 0 };
	int error = find(history, assumed, &work, &model);

	work_clear(&work);
	if (error) {
		figure_model_clear(&model);
		return error;
	}
	*ret = model;
	return 0;
}

void figure_model_clear(struct figure_model *model)
{
	free(model->rests);
	*model = (struct figure_model){ 0 };
}

bool figure_model_rest(const struct figure_model *model, const struct step_task *task, double *ret)
{
	struct input_point point = { 0 };

	if (!has_point(model, task, &point))
		return false;
	if (model->fit.known &&
	    (!(task->input_bytes > 0) || !input_fit_covers(&model->fit, point.input_log)))
		return false;
	*ret = input_fit_rest(&model->fit, &point);
	return true;
}

double figure_model_value(const struct figure_model *model, double value, double rest,
			  double other_rest)
{
	return fmax((value + model->floor) * exp(other_rest - rest) - model->floor, 0);
}

double figure_model_error(const struct figure_model *model, size_t tasks)
{
	double variance = model->between * model->between;
	double usual = fmax(model->tasks_a_run, 1), now = fmax((double)tasks, 1);

	variance *= 1 + 1 / fmax((double)model->run_count, 1);
	if (now < usual)
		variance += MEDIAN_COST * model->within * model->within * (1 / now - 1 / usual);
	return sqrt(variance);
}
