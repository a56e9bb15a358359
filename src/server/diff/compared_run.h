/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/findings/slowness_read.h"
#include "server/query/query.h"
#include "server/steps/step_task_list.h"
#include "tune/diff/diff_run.h"

/* A run as tune/diff reads it, with what owns it: the only place that makes it of queries. */
struct compared_run {
	struct diff_run run;
	struct store_rows *head; /* of run_head */
	struct slowness_source *slowness;
	struct step_task_list list;
	struct step_task *tasks; /* those of the list, then those of the path that it lacks */
	double *shared_disk;     /* beside tasks */
	struct diff_span *spans;
};

/* Of the run with this id. Errors as of query_named; -ENOENT, -ENOMEM with words.
 * compared_run_clear in any case. */
int compared_run_read(struct compared_run *compared, struct server *server, const char *id,
		      struct error *err);
void compared_run_clear(struct compared_run *compared);
