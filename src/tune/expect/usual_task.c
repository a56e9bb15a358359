/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "tune/history/student.h"
#include "tune/expect/usual_private.h"

/* A single task is judged against so many tasks. It must differ by this factor, be so many spreads
 * from the middle, and be out of the range of all of them by a factor. */
#define TASKS_LEAST 20
#define FACTOR      2.0
#define SPREADS     6.0
#define BEYOND      1.5
/* Tails of tasks are heavier than normal ones. */
#define FREEDOM 4.0
/* So many tasks of the run that are done show where its other tasks should be. */
#define SIBLINGS_LEAST 5

/* Where a task should be: of what the history says and what the run's own tasks show that which is
 * nearer to it. Where a whole run is slower, a task of it is not unusual for that alone. */
static double centre_for(const struct usual_figure *figure, double siblings, double rest)
{
	double history = figure->model.centre;

	if (figure->done < SIBLINGS_LEAST)
		return history;
	return fabs(rest - siblings) < fabs(rest - history) ? siblings : history;
}

/* The range of all tasks that it is compared with, around the centre. A task of the model itself
 * is one of them: the next one then counts. */
static double range_of(const struct usual_figure *figure, const struct usual_task *task,
		       double distance)
{
	const struct figure_model *model = &figure->model;
	size_t own = figure->own && task->done;

	return distance > 0 ? model->rests[model->rest_count - 1 - own] - model->centre
			    : model->centre - model->rests[own];
}

static double spread_of(const struct figure_model *model)
{
	return hypot(model->within, model->between);
}

static bool is_unusual(const struct usual_figure *figure, const struct usual_task *task,
		       double distance)
{
	double far = fabs(distance);

	if (distance < 0 && !task->done && !figure->kind->of_progress)
		return false;
	return usual_is_far(figure->kind, distance) && far > log(FACTOR) &&
	       far > SPREADS * spread_of(&figure->model) &&
	       far > range_of(figure, task, distance) + log(BEYOND);
}

static size_t find_unusual(struct usual_figure *figure)
{
	double siblings = usual_median_rest(figure, true);
	size_t found = 0;

	for (size_t i = 0; i < figure->count; i++) {
		struct usual_task *task = &figure->tasks[i];
		double distance = task->rest - centre_for(figure, siblings, task->rest);
		if (!is_unusual(figure, task, distance))
			continue;
		task->distance = distance;
		found++;
	}
	return found;
}

static int farthest_first(const void *left, const void *right)
{
	const struct usual_task *a = left, *b = right;
	double far_a = fabs(a->distance), far_b = fabs(b->distance);
	return (far_a < far_b) - (far_a > far_b);
}

static void add(const struct usual_figure *figure, const struct usual_task *task, size_t found,
		struct usual *usual)
{
	const struct figure_model *model = &figure->model;
	double chance = student_above(fabs(task->distance) / spread_of(model), FREEDOM);
	double low = quantile_of(model->rests, model->rest_count, 0.1) - model->centre;
	double high = quantile_of(model->rests, model->rest_count, 0.9) - model->centre;
	struct unusual item = {
		.kind = figure->kind,
		.task = task->task,
		.above = task->distance > 0,
		.so_far = !task->done,
		.value = step_figure_of(figure->kind->figure, task->task),
		.confidence = usual_confidence(chance, (double)figure->count),
		.tasks = found,
		.history_tasks = model->task_count,
		.history_runs = model->run_count,
	};

	item.typical_low = figure_model_value(model, item.value, task->distance, low);
	item.typical_median = figure_model_value(model, item.value, task->distance, 0);
	item.typical_high = figure_model_value(model, item.value, task->distance, high);
	usual_add(usual, item);
}

void usual_judge_tasks(struct usual_figure *figure, struct usual *usual)
{
	size_t found;

	if (figure->model.rest_count < TASKS_LEAST || figure->count == 0)
		return;
	found = find_unusual(figure);
	qsort(figure->tasks, figure->count, sizeof(*figure->tasks), farthest_first);
	for (size_t i = 0; i < found && i < USUAL_TASKS_MOST; i++)
		add(figure, &figure->tasks[i], found, usual);
}
