/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/usual.h"

#include <math.h>

#include "base/cleanup.h"
#include "tune/expect/usual_private.h"

void usual_add(struct usual *usual, struct unusual item)
{
	if (usual->count < USUAL_MOST)
		usual->items[usual->count++] = item;
}

static int judge_all(const struct usual_view *view, struct usual *usual)
{
	int error = 0;
	for (size_t i = 0; i < UNUSUAL_KINDS && error == 0; i++)
		error = unusual_kinds[i].judge(view, &unusual_kinds[i], usual);
	return error;
}

static void describe(const struct usual_view *view, struct usual *usual)
{
	const struct baseline *baseline = view->baseline;

	usual->history_runs = baseline->history.run_count;
	usual->history_tasks = baseline->history.task_count;
	usual->same_host = baseline->same_host;
	usual->same_tools = baseline->same_tools;
	usual->known = view->enough;
	if (!view->enough)
		usual->runs_missing = USUAL_RUNS_LEAST - usual->history_runs;
}

static int judge_with(struct usual_view *view, struct usual *ret)
{
	struct usual usual = { 0 };
	struct box wall;
	int error = step_history_box(&view->baseline->history, NULL, FIGURE_WALL, &wall);

	if (error)
		return error;
	view->wall_typical = wall.median;
	view->enough = view->baseline->history.run_count >= USUAL_RUNS_LEAST;
	describe(view, &usual);
	error = judge_all(view, &usual);
	if (error == 0)
		*ret = usual;
	return error;
}

int usual_judge(const struct step_history *history, const char *run_id, struct usual *ret)
{
	CLEANUP(baseline_clear) struct baseline baseline = { 0 };
	struct usual_view view = { .history = history, .baseline = &baseline };
	int error;

	view.run = step_history_run(history, run_id);
	if (view.run) {
		view.tasks = history->tasks + view.run->first;
		view.task_count = view.run->count;
	}
	error = baseline_find(history, run_id, &baseline);
	return error ? error : judge_with(&view, ret);
}
