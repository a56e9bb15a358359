/* SPDX-License-Identifier: Apache-2.0 */
#include "server/replay/replay_history.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "server/query/query.h"
#include "server/steps/step_task_list.h"
#include "tune/history/quantiles.h"

/* The tasks of a run: alike where these are equal. */
struct sum {
	size_t tasks;
	double cpu_ns;
	uint64_t steps; /* the names of their steps, in any order */
	bool succeeded;
};

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return hash;
}

static struct sum sum_of_run(const struct replay_run *run)
{
	struct sum sum = { .succeeded = true };

	for (size_t i = 0; i < run->task_count; i++) {
		sum.tasks++;
		sum.cpu_ns += run->tasks[i].cpu_ns;
		sum.steps += hash_of(run->tasks[i].step);
	}
	return sum;
}

static struct sum sum_of_list(const struct step_task *tasks, size_t count)
{
	struct sum sum = { .succeeded = true };

	for (size_t i = 0; i < count; i++) {
		sum.tasks++;
		sum.cpu_ns += fmax(tasks[i].cpu_ns, 0);
		sum.steps += hash_of(tasks[i].step);
		sum.succeeded &= tasks[i].end == STEP_TASK_SUCCEEDED;
	}
	return sum;
}

/* Its own run is one of them. Some may have had other inputs: they hardly count. */
static void find_spread(struct replay_run *run, const struct step_task_list *list)
{
	struct sum own = sum_of_run(run);
	double logs[HISTORY_RUNS_MAX + 1];
	size_t count = 0;

	if (!(own.cpu_ns > 0))
		return;
	logs[count++] = log(own.cpu_ns);
	for (size_t from = 0, to; from < list->count && count <= HISTORY_RUNS_MAX; from = to) {
		struct sum sum;

		for (to = from; to < list->count &&
				strcmp(list->items[to].run_id, list->items[from].run_id) == 0;
		     to++)
			;
		sum = sum_of_list(list->items + from, to - from);
		if (sum.succeeded && sum.tasks == own.tasks && sum.steps == own.steps &&
		    sum.cpu_ns > 0)
			logs[count++] = log(sum.cpu_ns);
	}
	run->history.runs = count - 1;
	run->history.spread = spread_around(logs, count, median_of(logs, count));
}

int replay_history_read(struct replay_run *run, struct server *server,
			const struct store_rows *head, const char *reader, struct error *err)
{
	const struct history_scope scope = { .pipeline = row_text(head, "pipeline"),
					     .except = row_text(head, "id"),
					     .reader = reader };
	CLEANUP(step_tasks_clear) struct step_task_list list = { 0 };
	int rc = *scope.pipeline ? step_tasks_of_history(server, &scope, &list, err) : 0;

	if (rc == 0)
		find_spread(run, &list);
	return rc;
}
