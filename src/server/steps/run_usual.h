/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/steps/pipeline_history.h"
#include "tune/expect/usual_steps.h"

/* Whether the steps of a run are as usual, by the earlier runs of its pipeline. */
struct run_usual {
	struct pipeline_history history;
	struct usual_steps steps; /* those of the run, in the order of their begin */
};

/* Errors as of pipeline_history_of_run. run_usual_clear in any case. */
int run_usual_read(struct server *server, const char *run_id, enum history_of of,
		   const char *reader, struct run_usual *ret, struct error *err);
void run_usual_clear(struct run_usual *usual);
