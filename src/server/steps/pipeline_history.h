/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/steps/step_task_list.h"

/*
 * The attempts of the tasks of a run beside those of earlier runs of its pipeline, by step: what
 * its sizes, its expected end and whether it is as usual are concluded from.
 */

/* The attempts of a step, those of the run first; of several runs the newest first. */
struct pipeline_step {
	const char *name;
	const struct step_task *tasks;
	size_t count;
	size_t of_run; /* of these: of the run itself */
};

struct pipeline_history {
	struct store_rows *head; /* of the query run_head; NULL: it is of no run */
	struct step_task *tasks; /* by step */
	size_t task_count;
	struct pipeline_step *steps; /* those of the run in the order of their begin, then others */
	size_t step_count;
	size_t run_step_count;           /* of these: with tasks in the run */
	size_t past_runs;                /* earlier runs, at most HISTORY_RUNS_MAX */
	bool cut;                        /* attempts were left out: STEP_TASKS_MAX */
	struct step_task_list run, past; /* own the texts */
};

/* What is read besides the run. */
enum history_of {
	HISTORY_OF_READER, /* runs that the request may read */
	/* Runs that everyone may read who may read the run (struct history_scope): the answer may
	 * be stored with it. */
	HISTORY_OF_ANYONE,
};

/* Of the run with this id; earlier runs are settled ones of its pipeline that began before it.
 * reader: of reader_param; it does not matter for HISTORY_OF_ANYONE. -ENOENT with words: the run is
 * gone; else errors as of query_named. pipeline_history_clear in any case. */
int pipeline_history_of_run(struct server *server, const char *run_id, enum history_of of,
			    const char *reader, struct pipeline_history *ret, struct error *err);
/* Of the newest settled runs of a pipeline; step: of this step alone, or NULL. */
int pipeline_history_of_pipeline(struct server *server, const char *pipeline, const char *step,
				 const char *reader, struct pipeline_history *ret,
				 struct error *err);
void pipeline_history_clear(struct pipeline_history *history);

/* NULL: none of that name. */
const struct pipeline_step *pipeline_history_step(const struct pipeline_history *history,
						  const char *name);
