/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/baseline.h"

#include <string.h>

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

static bool has_seen(const struct step_history *history, const char *host_type)
{
	if (!*host_type)
		return true;
	for (size_t i = 0; i < history->task_count; i++)
		if (strcmp(history->tasks[i]->host_type, host_type) == 0)
			return true;
	return false;
}

static bool is_other_host(const struct step_history *history, const struct step_history_run *run,
			  const struct step_history *known)
{
	const char *last = NULL;
	bool last_seen = true;
	size_t unseen = 0;

	for (size_t i = run->first; i < run->first + run->count; i++) {
		const char *type = history->tasks[i]->host_type;
		if (!last || strcmp(last, type) != 0) {
			last = type;
			last_seen = has_seen(known, type);
		}
		unseen += !last_seen;
	}
	return 2 * unseen >= run->count;
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
		made.other_host = is_other_host(history, run, &made.history);
	*ret = made;
	return 0;
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
