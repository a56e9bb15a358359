/* SPDX-License-Identifier: Apache-2.0 */
#include "server/steps/pipeline_history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/query/query.h"
#include "server/query/run.h"
#include "tune/history/step_by_tools.h"

/* An attempt with its place in what was read. */
struct placed {
	const struct step_task *task;
	size_t place; /* in the run, then in the history */
	size_t first; /* of the first attempt of its step */
};

static int by_step(const void *one_, const void *other_)
{
	const struct placed *one = one_, *other = other_;
	int order = strcmp(one->task->step, other->task->step);

	return order ? order : (one->place > other->place) - (one->place < other->place);
}

static int by_first(const void *one_, const void *other_)
{
	const struct placed *one = one_, *other = other_;

	if (one->first != other->first)
		return one->first < other->first ? -1 : 1;
	return (one->place > other->place) - (one->place < other->place);
}

/* The steps in the order in which they first appear. */
static struct placed *sort(const struct pipeline_history *history)
{
	size_t of_run = history->run.count, count = history->task_count;
	struct placed *placed = calloc(count + 1, sizeof(*placed));

	if (!placed)
		return NULL;
	for (size_t i = 0; i < count; i++)
		placed[i] = (struct placed){ i < of_run ? &history->run.items[i]
							: &history->past.items[i - of_run],
					     i, 0 };
	qsort(placed, count, sizeof(*placed), by_step);
	for (size_t i = 0; i < count; i++)
		placed[i].first =
			i > 0 && strcmp(placed[i].task->step, placed[i - 1].task->step) == 0
				? placed[i - 1].first
				: placed[i].place;
	qsort(placed, count, sizeof(*placed), by_first);
	return placed;
}

static int make_steps(struct pipeline_history *history)
{
	CLEANUP(freep) struct placed *placed = NULL;
	struct pipeline_step *step = NULL;

	history->task_count = history->run.count + history->past.count;
	history->cut = history->run.cut || history->past.cut;
	history->tasks = calloc(history->task_count + 1, sizeof(*history->tasks));
	history->steps = calloc(history->task_count + 1, sizeof(*history->steps));
	placed = sort(history);
	if (!placed || !history->tasks || !history->steps)
		return -ENOMEM;
	for (size_t i = 0; i < history->task_count; i++) {
		bool of_run = placed[i].place < history->run.count;

		history->tasks[i] = *placed[i].task;
		if (i == 0 || placed[i].first != placed[i - 1].first) {
			step = &history->steps[history->step_count++];
			*step = (struct pipeline_step){ .name = history->tasks[i].step,
							.tasks = &history->tasks[i] };
			history->run_step_count += of_run;
		}
		step->count++;
		step->of_run += of_run;
	}
	return 0;
}

/* Those of a run follow each other. */
static size_t count_runs(const struct step_task_list *list)
{
	size_t runs = 0;

	for (size_t i = 0; i < list->count; i++)
		runs += i == 0 || strcmp(list->items[i].run_id, list->items[i - 1].run_id) != 0;
	return runs;
}

static int make(struct pipeline_history *history, struct error *err)
{
	history->past_runs = count_runs(&history->past);
	step_names_complete(history->run.items, history->run.count, history->past.items,
			    history->past.count);
	return make_steps(history) ? error_set(err, -ENOMEM, "no memory for a history") : 0;
}

int pipeline_history_of_run(struct server *server, const char *run_id, enum history_of of,
			    const char *reader, struct pipeline_history *ret, struct error *err)
{
	struct history_scope scope = { .except = run_id, .reader = reader };
	int rc = run_query_row(server, "run_head", run_id, &ret->head, err);

	if (rc)
		return rc;
	scope.pipeline = row_text(ret->head, "pipeline");
	scope.before_at = row_i64(ret->head, "started_at");
	if (of == HISTORY_OF_ANYONE) {
		scope.owner = row_text(ret->head, "owner");
		scope.labels = row_text(ret->head, "labels");
		scope.reader = NULL;
	}
	rc = step_tasks_of_run(server, run_id, NULL, &ret->run, err);
	if (rc == 0 && *scope.pipeline)
		rc = step_tasks_of_history(server, &scope, &ret->past, err);
	return rc ? rc : make(ret, err);
}

int pipeline_history_of_pipeline(struct server *server, const char *pipeline, const char *step,
				 const char *reader, struct pipeline_history *ret,
				 struct error *err)
{
	const struct history_scope scope = { .pipeline = pipeline, .step = step, .reader = reader };
	int rc = step_tasks_of_history(server, &scope, &ret->past, err);

	return rc ? rc : make(ret, err);
}

const struct pipeline_step *pipeline_history_step(const struct pipeline_history *history,
						  const char *name)
{
	for (size_t i = 0; i < history->step_count; i++)
		if (strcmp(history->steps[i].name, name) == 0)
			return &history->steps[i];
	return NULL;
}

void pipeline_history_clear(struct pipeline_history *history)
{
	free(history->tasks);
	free(history->steps);
	store_rows_free(history->head);
	step_tasks_clear(&history->run);
	step_tasks_clear(&history->past);
	*history = (struct pipeline_history){ 0 };
}
