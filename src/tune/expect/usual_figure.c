/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tune/expect/usual_private.h"

/* A rate of a running task counts once it ran for this part of the usual wall time. */
#define PROGRESS_LEAST 0.5

static void figure_clear(struct usual_figure *figure)
{
	figure_model_clear(&figure->model);
	free(figure->tasks);
	free(figure->scratch);
}

double usual_confidence(double chance, double tries)
{
	return fmax(1 - chance * tries, 0);
}

bool usual_is_far(const struct unusual_kind *kind, double distance)
{
	return (kind->above && distance > log(kind->least_above)) ||
	       (kind->below && distance < -log(kind->least_below));
}

double usual_median_rest(const struct usual_figure *figure, bool done_only)
{
	size_t count = 0;
	for (size_t i = 0; i < figure->count; i++)
		if (!done_only || figure->tasks[i].done)
			figure->scratch[count++] = figure->tasks[i].rest;
	return median_of(figure->scratch, count);
}

static bool is_judged(const struct usual_view *view, const struct unusual_kind *kind,
		      const struct step_task *task)
{
	if (task->end == STEP_TASK_SUCCEEDED)
		return true;
	if (task->end != STEP_TASK_RUNS)
		return false;
	if (kind->of_progress)
		return task->input_bytes > 0 &&
		       task->wall_ns >= PROGRESS_LEAST * view->wall_typical;
	return true;
}

static void collect(struct usual_figure *figure)
{
	for (size_t i = 0; i < figure->view->task_count; i++) {
		const struct step_task *task = figure->view->tasks[i];
		struct usual_task known = { .task = task, .done = task->end != STEP_TASK_RUNS };
		if (!is_judged(figure->view, figure->kind, task) ||
		    !figure_model_rest(&figure->model, task, &known.rest))
			continue;
		figure->done += known.done;
		figure->tasks[figure->count++] = known;
	}
}

/* Of the runs before; where there is none, of the tasks of the run that succeeded. */
static int find_model(struct usual_figure *figure)
{
	const struct usual_view *view = figure->view;
	const struct unusual_kind *kind = figure->kind;
	double floor = kind->floor + kind->floor_of_wall * view->wall_typical;
	CLEANUP(step_history_clear) struct step_history own = { 0 };
	const struct step_history *history = &view->baseline->history;

	figure->own = view->run && history->run_count == 0;
	if (figure->own) {
		int error = baseline_own(view->history, view->run, &own);
		if (error)
			return error;
		history = &own;
	}
	return figure_model_find(history, kind->figure, floor, kind->assumed, &figure->model);
}

int usual_judge_figure(const struct usual_view *view, const struct unusual_kind *kind,
		       struct usual *usual)
{
	CLEANUP(figure_clear) struct usual_figure figure = { .view = view, .kind = kind };
	int error = find_model(&figure);

	if (error)
		return error;
	figure.tasks = malloc((view->task_count + 1) * sizeof(*figure.tasks));
	figure.scratch = malloc((view->task_count + 1) * sizeof(*figure.scratch));
	if (!figure.tasks || !figure.scratch)
		return -ENOMEM;
	if (view->baseline->other_host)
		figure.host_error = kind->other_host;
	collect(&figure);
	if (!usual_judge_step(&figure, usual))
		usual_judge_tasks(&figure, usual);
	return 0;
}
