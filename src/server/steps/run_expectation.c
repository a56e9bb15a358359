/* SPDX-License-Identifier: Apache-2.0 */
#include "server/steps/run_expectation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/query/query.h"

static int make_histories(const struct pipeline_history *history, struct run_expectation *ret)
{
	int rc = 0;

	ret->histories = calloc(history->step_count + 1, sizeof(*ret->histories));
	ret->tasks = calloc(history->step_count + 1, sizeof(struct remaining *));
	if (!ret->histories || !ret->tasks)
		return -ENOMEM;
	ret->count = history->step_count;
	for (size_t i = 0; rc == 0 && i < history->step_count; i++)
		rc = step_history_of(history->steps[i].tasks, history->steps[i].count,
				     &ret->histories[i]);
	return rc;
}

static int find_tasks(const char *run_id, struct run_expectation *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ret->count; i++) {
		const struct step_history_run *run = step_history_run(&ret->histories[i], run_id);

		if (!run)
			continue;
		ret->tasks[i] = calloc(run->count + 1, sizeof(**ret->tasks));
		rc = ret->tasks[i] ? remaining_of_tasks(&ret->histories[i], run_id,
							&ret->remaining.pace, ret->tasks[i])
				   : -ENOMEM;
	}
	return rc;
}

static const char *why_unknown(const struct pipeline_history *history,
			       const struct run_expectation *expectation)
{
	if (expectation->remaining.run.known)
		return NULL;
	if (history->past_runs == 0)
		return "there is no earlier run of its pipeline";
	return "there is not enough history";
}

int run_expectation_make(const struct run_usual *usual, int64_t now_at, struct run_expectation *ret)
{
	const struct pipeline_history *history = &usual->history;
	const char *run_id = row_text(history->head, "id");
	int rc;

	ret->runs = strcmp(row_text(history->head, "status"), "running") == 0;
	if (!ret->runs)
		return 0;
	rc = make_histories(history, ret);
	if (rc == 0)
		rc = remaining_of_run(ret->histories, ret->count, run_id, now_at, &ret->remaining);
	if (rc == -E2BIG) {
		ret->why_unknown = "it has too many steps or tasks";
		ret->remaining.run.progress = -1;
		return 0;
	}
	if (rc == 0)
		rc = find_tasks(run_id, ret);
	if (rc == 0)
		ret->why_unknown = why_unknown(history, ret);
	return rc;
}

void run_expectation_clear(struct run_expectation *expectation)
{
	run_remaining_clear(&expectation->remaining);
	for (size_t i = 0; i < expectation->count; i++) {
		step_history_clear(&expectation->histories[i]);
		free(expectation->tasks[i]);
	}
	free(expectation->histories);
	free(expectation->tasks);
	*expectation = (struct run_expectation){ 0 };
}
