/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "tune/replay/replay_run.h"

struct server;
struct store_rows;

/* The runs of the last days with their tasks, as one fleet of hosts runs them. */
#define FLEET_TASKS_MAX 100000

struct fleet_source {
	struct replay_run *runs; /* without files and without what their time went for */
	size_t run_count;
	struct replay_task *tasks;
	size_t task_count;
	bool cut;                /* there are more than FLEET_TASKS_MAX */
	bool restartable;        /* all have an engine */
	size_t hosts;            /* that ran them */
	char host_id[128];       /* that ran them for the longest time together */
	struct store_rows *rows; /* own the texts */
};

/* reader: of reader_param. Errors as of query_named. fleet_source_clear in any case. */
int fleet_source_read(struct fleet_source *source, struct server *server, int64_t since_at,
		      const char *reader, struct error *err);
void fleet_source_clear(struct fleet_source *source);
/* What the hosts that were up since then cost until now; < 0: not known of one. */
int fleet_cost_read(struct server *server, int64_t since_at, int64_t until_at, double *ret_usd,
		    struct error *err);
