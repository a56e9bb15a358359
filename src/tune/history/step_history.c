/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/history/step_history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static int compare_times(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_run_and_begin(const void *left, const void *right)
{
	const struct step_task *a = *(const struct step_task *const *)left;
	const struct step_task *b = *(const struct step_task *const *)right;
	int order = strcmp(a->run_id, b->run_id);

	if (order == 0)
		order = compare_times(a->started_at, b->started_at);
	return order ? order : strcmp(a->id, b->id);
}

static int by_begin(const void *left, const void *right)
{
	const struct step_history_run *a = left, *b = right;
	int order = compare_times(a->started_at, b->started_at);
	return order ? order : strcmp(a->run_id, b->run_id);
}

static size_t count_runs(const struct step_task *const *tasks, size_t count)
{
	size_t runs = 0;
	for (size_t i = 0; i < count; i++)
		runs += i == 0 || strcmp(tasks[i]->run_id, tasks[i - 1]->run_id) != 0;
	return runs;
}

static void add_task(struct step_history_run *run, const struct step_task *task)
{
	if (run->started_at == 0)
		run->started_at = task->started_at;
	run->count++;
	run->ended[task->end]++;
}

/* Of tasks that are sorted by run and begin; by their begin then. */
static void find_runs(struct step_history *history)
{
	struct step_history_run *run = NULL;

	for (size_t i = 0; i < history->task_count; i++) {
		const struct step_task *task = history->tasks[i];
		if (!run || strcmp(run->run_id, task->run_id) != 0) {
			run = &history->runs[history->run_count++];
			*run = (struct step_history_run){ .run_id = task->run_id, .first = i };
		}
		add_task(run, task);
	}
	qsort(history->runs, history->run_count, sizeof(*history->runs), by_begin);
}

/* How many of the earliest runs go over the bounds. A single run never does. */
static size_t runs_over(const struct step_history *history)
{
	size_t tasks = 0, kept = 0;

	while (kept < history->run_count && kept < STEP_HISTORY_RUNS) {
		tasks += history->runs[history->run_count - 1 - kept].count;
		if (kept > 0 && tasks > STEP_HISTORY_TASKS)
			break;
		kept++;
	}
	return history->run_count - kept;
}

static void shorten_run(struct step_history *history, struct step_history_run *run)
{
	const struct step_task **tasks = history->tasks + run->first;
	struct step_history_run kept = { .run_id = run->run_id, .first = run->first };

	history->left_out += run->count - STEP_HISTORY_TASKS;
	for (size_t i = 0; i < STEP_HISTORY_TASKS; i++)
		add_task(&kept, tasks[i]);
	*run = kept;
}

static void apply_bounds(struct step_history *history)
{
	size_t over = runs_over(history);

	for (size_t i = 0; i < over; i++)
		history->left_out += history->runs[i].count;
	history->run_count -= over;
	memmove(history->runs, history->runs + over, history->run_count * sizeof(*history->runs));
	for (size_t i = 0; i < history->run_count; i++)
		if (history->runs[i].count > STEP_HISTORY_TASKS)
			shorten_run(history, &history->runs[i]);
}

/* Tasks become those of the runs, in the order of these. */
static int order_tasks(struct step_history *history)
{
	const struct step_task **ordered;
	size_t count = 0;

	for (size_t i = 0; i < history->run_count; i++)
		count += history->runs[i].count;
	ordered = malloc((count + 1) * sizeof(struct step_task *));
	if (!ordered)
		return -ENOMEM;
	count = 0;
	for (size_t i = 0; i < history->run_count; i++) {
		struct step_history_run *run = &history->runs[i];
		for (size_t j = 0; j < run->count; j++)
			ordered[count + j] = history->tasks[run->first + j];
		run->first = count;
		count += run->count;
	}
	free(history->tasks);
	history->tasks = ordered;
	history->task_count = count;
	return 0;
}

static int group(struct step_history *history)
{
	if (history->task_count > 0)
		qsort(history->tasks, history->task_count, sizeof(const struct step_task *),
		      by_run_and_begin);
	history->runs =
		calloc(count_runs(history->tasks, history->task_count) + 1, sizeof(*history->runs));
	if (!history->runs)
		return -ENOMEM;
	find_runs(history);
	apply_bounds(history);
	return order_tasks(history);
}

static int take(struct step_history *made, struct step_history *ret)
{
	int error = group(made);
	if (error) {
		step_history_clear(made);
		return error;
	}
	*ret = *made;
	return 0;
}

int step_history_of(const struct step_task *tasks, size_t count, struct step_history *ret)
{
	struct step_history made = { .tasks = malloc((count + 1) * sizeof(struct step_task *)) };

	if (!made.tasks)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		made.tasks[made.task_count++] = &tasks[i];
	return take(&made, ret);
}

int step_history_filter(const struct step_history *history,
			bool (*keep)(const struct step_task *task, const void *context),
			const void *context, struct step_history *ret)
{
	struct step_history made = { 0 };

	made.tasks = malloc((history->task_count + 1) * sizeof(struct step_task *));
	if (!made.tasks)
		return -ENOMEM;
	for (size_t i = 0; i < history->task_count; i++)
		if (keep(history->tasks[i], context))
			made.tasks[made.task_count++] = history->tasks[i];
	return take(&made, ret);
}

void step_history_clear(struct step_history *history)
{
	free(history->tasks);
	free(history->runs);
	*history = (struct step_history){ 0 };
}

const struct step_history_run *step_history_run(const struct step_history *history,
						const char *run_id)
{
	for (size_t i = 0; i < history->run_count; i++)
		if (strcmp(history->runs[i].run_id, run_id) == 0)
			return &history->runs[i];
	return NULL;
}

int step_history_box(const struct step_history *history, const struct step_history_run *run,
		     enum step_figure figure, struct box *ret)
{
	size_t first = run ? run->first : 0, count = run ? run->count : history->task_count;
	CLEANUP(freep) double *values = malloc((count + 1) * sizeof(*values));
	size_t known = 0;

	if (!values)
		return -ENOMEM;
	for (size_t i = first; i < first + count; i++) {
		double value = step_figure_of(figure, history->tasks[i]);
		if (history->tasks[i]->end == STEP_TASK_SUCCEEDED && value >= 0)
			values[known++] = value;
	}
	*ret = box_of(values, known);
	return 0;
}
