/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/price.h"
#include "server/query/dataflow.h"
#include "tune/replay/replay_run.h"

struct server;

/* A run as replays need it, with what owns its texts: the only place that reads it from queries. */
struct replay_source {
	struct replay_run run;
	double usd_hour; /* of its host; < 0: unknown */
	struct replay_task *tasks;
	struct dataflow dataflow;
	struct store_rows *run_rows, *task_rows; /* own the texts */
	char host_id[128];                       /* of its first host; "": none is known */
	int64_t cgroup_id; /* that all its processes were in; -1: they were in several */
};

/* Of the run with this id. reader: of reader_param: other runs are read only where it may read
 * them. -ENOENT with words: it was removed since; else errors as of query_named.
 * replay_source_clear in any case. */
int replay_source_read(struct replay_source *source, struct server *server, const char *id,
		       const char *reader, struct error *err);
void replay_source_clear(struct replay_source *source);
