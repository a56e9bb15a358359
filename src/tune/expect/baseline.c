/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

struct wanted {
	const struct step_history_run *run; /* NULL: it has no task yet */
	const char *host_type, *tools;      /* NULL: any */
};

static const char *host_type_of(const struct step_task *task)
{
	return task->host_type;
}

static const char *tools_of(const struct step_task *task)
{
	return task->tools;
}

static size_t count_of(const struct step_history *history, const struct step_history_run *run,
		       const char *(*text_of)(const struct step_task *), const char *text)
{
	size_t count = 0;
	for (size_t i = run->first; i < run->first + run->count; i++)
		count += strcmp(text_of(history->tasks[i]), text) == 0;
	return count;
}

/* The text that more than half of the tasks have (Boyer and Moore's majority vote); NULL: none, or
 * it is unknown. */
static const char *most_common(const struct step_history *history,
			       const struct step_history_run *run,
			       const char *(*text_of)(const struct step_task *))
{
	const char *text = "";
	size_t votes = 0;

	for (size_t i = run->first; i < run->first + run->count; i++) {
		const char *next = text_of(history->tasks[i]);
		if (votes == 0)
			text = next;
		votes = strcmp(text, next) == 0 ? votes + 1 : votes - 1;
	}
	if (!*text || 2 * count_of(history, run, text_of, text) <= run->count)
		return NULL;
	return text;
}

static bool is_wanted(const struct step_task *task, const void *context)
{
	const struct wanted *wanted = context;

	if (task->end != STEP_TASK_SUCCEEDED)
		return false;
	if (wanted->run && strcmp(task->run_id, wanted->run->run_id) == 0)
		return false;
	return (!wanted->host_type || strcmp(task->host_type, wanted->host_type) == 0) &&
	       (!wanted->tools || strcmp(task->tools, wanted->tools) == 0);
}

/* The runs of a history that began before another one; the view points into the history. */
static struct step_history earlier(const struct step_history *history,
				   const struct step_history_run *run)
{
	struct step_history view = *history;

	if (!run)
		return view;
	view.run_count = (size_t)(run - history->runs);
	view.task_count = run->first;
	return view;
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The host types of a history, sorted; one may be there more than once. Returns how many. */
static size_t list_types(const struct step_history *history, const char **types)
{
	size_t count = 0;

	for (size_t i = 0; i < history->task_count; i++) {
		const char *type = history->tasks[i]->host_type;
		if (count == 0 || strcmp(types[count - 1], type) != 0)
			types[count++] = type;
	}
	if (count > 1)
		qsort(types, count, sizeof(*types), by_text);
	return count;
}

static int find_other_host(const struct step_history *history, const struct step_history_run *run,
			   struct baseline *made)
{
	CLEANUP(freep) const char **types = malloc((made->history.task_count + 1) * sizeof(*types));
	size_t count, unseen = 0;

	if (!types)
		return -ENOMEM;
	count = list_types(&made->history, types);
	for (size_t i = run->first; i < run->first + run->count; i++) {
		const char *type = history->tasks[i]->host_type;
		unseen += *type && !bsearch(&type, types, count, sizeof(*types), by_text);
	}
	made->other_host = 2 * unseen >= run->count;
	return 0;
}

/* From the runs that are most alike to all of them. */
static const struct {
	bool host, tools;
	size_t runs_least;
} choices[] = {
	{ true, true, BASELINE_RUNS_ALIKE },
	{ true, false, BASELINE_RUNS_ALIKE },
	{ false, true, BASELINE_RUNS_ALIKE },
	{ false, false, 0 },
};
#define CHOICES (sizeof(choices) / sizeof(*choices))

static int choose(const struct step_history *history, const struct wanted *wanted,
		  struct baseline *made)
{
	int error = 0;

	for (size_t i = 0; i < CHOICES && error == 0; i++) {
		struct wanted now = *wanted;
		now.host_type = choices[i].host ? wanted->host_type : NULL;
		now.tools = choices[i].tools ? wanted->tools : NULL;
		if ((choices[i].host && !now.host_type) || (choices[i].tools && !now.tools))
			continue;
		error = step_history_filter(history, is_wanted, &now, &made->history);
		made->same_host = choices[i].host;
		made->same_tools = choices[i].tools;
		if (error || made->history.run_count >= choices[i].runs_least)
			return error;
		step_history_clear(&made->history);
	}
	return error;
}

int baseline_find(const struct step_history *history, const char *run_id, struct baseline *ret)
{
	const struct step_history_run *run = step_history_run(history, run_id);
	struct step_history before = earlier(history, run);
	struct wanted wanted = { .run = run };
	struct baseline made = { 0 };
	int error;

	if (run) {
		wanted.host_type = most_common(history, run, host_type_of);
		wanted.tools = most_common(history, run, tools_of);
	}
	error = choose(&before, &wanted, &made);
	if (error)
		return error;
	if (run && made.history.task_count > 0)
		error = find_other_host(history, run, &made);
	if (error)
		baseline_clear(&made);
	else
		*ret = made;
	return error;
}

static bool is_own(const struct step_task *task, const void *context)
{
	const struct step_history_run *run = context;
	return task->end == STEP_TASK_SUCCEEDED && strcmp(task->run_id, run->run_id) == 0;
}

int baseline_own(const struct step_history *history, const struct step_history_run *run,
		 struct step_history *ret)
{
	return step_history_filter(history, is_own, run, ret);
}

void baseline_clear(struct baseline *baseline)
{
	step_history_clear(&baseline->history);
}
