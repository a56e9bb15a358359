/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "tune/history/step_task.h"

struct server;
struct store_rows;

/* Attempts of tasks, read from the lake: of one run, or of the history of a pipeline. */
struct step_task_list {
	struct step_task *items; /* of a history those of the newest run first */
	size_t count;
	bool cut;                /* there are more than STEP_TASKS_MAX */
	struct store_rows *rows; /* own the texts */
};
#define STEP_TASKS_MAX 100000
#define HISTORY_RUNS_MAX                                                        \
	50 /* the newest runs of a pipeline; older ones say less about the next \
	    */

/* The attempts of a run that began, in the order of their start. step: of this step alone; NULL: of
 * all. Errors as of query_named. step_tasks_clear in any case. */
int step_tasks_of_run(struct server *server, const char *run_id, const char *step,
		      struct step_task_list *ret, struct error *err);

/* Which settled runs a history is made of. NULL or 0: it does not matter. */
struct history_scope {
	const char *pipeline;
	const char *step;
	const char *except; /* the id of a run that is left out */
	/* Runs that everyone may read who may read a run of this owner (a user's name, else uid)
	 * with these labels (a JSON object): runs of the same owner that have them, too. */
	const char *owner, *labels;
	const char *reader; /* of reader_param: which runs may be read */
	int64_t before_at;  /* runs that began before, ns since 1970 */
};
int step_tasks_of_history(struct server *server, const struct history_scope *scope,
			  struct step_task_list *ret, struct error *err);

void step_tasks_clear(struct step_task_list *list);
