/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "tune/history/student.h"
#include "tune/expect/usual_private.h"

/* Beyond all earlier runs by this factor. */
#define BEYOND 1.2
/* What is said to be noticeable is missed with this probability, where the spread is estimated
 * well; of few runs it is less certain. */
#define MISSED 0.01

/* The median over the tasks of a step, and how far it is from where the history says. */
struct step_median {
	bool done_only; /* of tasks that are done alone */
	size_t tasks;
	double rest, distance, error, chance;
};

/* What runs can still rise: its tasks are left out where that makes the median higher. */
static struct step_median find_median(const struct usual_figure *figure)
{
	const struct figure_model *model = &figure->model;
	double all = usual_median_rest(figure, false), done = usual_median_rest(figure, true);
	struct step_median median = { .rest = all, .tasks = figure->count };

	if (!figure->kind->of_progress && figure->done > 0 && done > all)
		median = (struct step_median){ true, figure->done, done, 0, 0, 0 };
	median.distance = median.rest - model->centre;
	median.error = hypot(figure_model_error(model, median.tasks), figure->host_error);
	median.chance = student_above(fabs(median.distance) / median.error, model->freedom);
	if (figure->kind->above && figure->kind->below)
		median.chance *= 2;
	return median;
}

/* A lower figure says something once all tasks have ended; of some a higher one only beyond all. */
static bool can_tell(const struct usual_figure *figure, const struct step_median *median)
{
	if (figure->kind->beyond_all && median->rest <= figure->model.most + log(BEYOND))
		return false;
	return median->distance > 0 || figure->kind->of_progress || figure->done == figure->count;
}

static double median_value(const struct usual_figure *figure, bool done_only)
{
	size_t count = 0;
	for (size_t i = 0; i < figure->count; i++)
		if (!done_only || figure->tasks[i].done)
			figure->scratch[count++] =
				step_figure_of(figure->kind->figure, figure->tasks[i].task);
	return median_of(figure->scratch, count);
}

static void add(const struct usual_figure *figure, const struct step_median *median,
		struct usual *usual)
{
	const struct figure_model *model = &figure->model;
	double range = median->error * student_exceeded(0.1, model->freedom);
	struct unusual item = {
		.kind = figure->kind,
		.above = median->distance > 0,
		.so_far = figure->done < figure->count,
		.value = median_value(figure, median->done_only),
		.confidence = usual_confidence(median->chance, USUAL_FIGURES),
		.tasks = median->tasks,
		.history_tasks = model->task_count,
		.history_runs = model->run_count,
	};

	item.typical_low = figure_model_value(model, item.value, median->distance, -range);
	item.typical_median = figure_model_value(model, item.value, median->distance, 0);
	item.typical_high = figure_model_value(model, item.value, median->distance, range);
	usual_add(usual, item);
}

/* How far from the centre a step must be, for it to be noticed nearly always. */
static double noticeable(const struct usual_figure *figure, const struct step_median *median)
{
	const struct unusual_kind *kind = figure->kind;
	double freedom = figure->model.freedom;
	double limit =
		student_exceeded(kind->chance_most, freedom) + student_exceeded(MISSED, freedom);
	double distance = fmax(median->error * limit, log(fmax(kind->least_above, 1)));

	if (kind->beyond_all)
		distance = fmax(distance, figure->model.most - figure->model.centre + log(BEYOND));
	return distance;
}

static void say_noticeable(const struct usual_figure *figure, const struct step_median *median,
			   struct usual *usual)
{
	double distance = noticeable(figure, median);
	double value = median_value(figure, median->done_only);
	double limit = figure_model_value(&figure->model, value, median->distance,
					  figure->kind->above ? distance : -distance);

	usual->noticeable_value[figure->kind - unusual_kinds] = limit;
	if (figure->kind->figure == FIGURE_WALL)
		usual->noticeable = exp(distance);
}

bool usual_judge_step(const struct usual_figure *figure, struct usual *usual)
{
	struct step_median median;

	if (figure->own || figure->model.run_count < USUAL_RUNS_LEAST || figure->count == 0)
		return false;
	median = find_median(figure);
	say_noticeable(figure, &median, usual);
	if (!usual_is_far(figure->kind, median.distance) ||
	    median.chance > figure->kind->chance_most || !can_tell(figure, &median))
		return false;
	add(figure, &median, usual);
	return true;
}
