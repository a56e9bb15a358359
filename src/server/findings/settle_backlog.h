/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/query/run.h"

/*
 * Runs with sums, of which the series over time and the documents are to be stored still
 * (settle_runs.h): those that got their sums first come first. Series are made of a part of them at
 * once; the documents of these follow. One thread.
 */
#define SETTLE_BACKLOG_MAX 4000
#define SETTLE_RUNS_MAX    100 /* of which one part is stored at once */

struct settle_run {
	char id[RUN_ID_SIZE];
	int64_t executions, samples; /* as many as there may be of it */
};

struct settle_backlog {
	struct settle_run runs[SETTLE_BACKLOG_MAX];
	size_t count;
	size_t next;        /* the first of which the documents are not stored */
	size_t with_series; /* … the series */
};

/* Whether there is room for as many as are settled at once. */
bool settle_backlog_has_room(const struct settle_backlog *backlog);
/* Adds a run at the end. One that is in it already, as it was settled again since, moves there. */
void settle_backlog_add(struct settle_backlog *backlog, const char *id, int64_t executions,
			int64_t samples);
/* Whether the run is in it. */
bool settle_backlog_has(const struct settle_backlog *backlog, const char *id);
/* Whether documents are to be stored of a run that has its series. */
bool settle_backlog_has_next(const struct settle_backlog *backlog);
/* Takes such runs out of the backlog: at most so many, with so many executions together, but one
 * where there is one. Their ids stay readable until the next run is added. Returns how many. */
size_t settle_backlog_take(struct settle_backlog *backlog, size_t runs_max, int64_t executions_max,
			   const char *ids[]);
/* The runs that get their series together, as many as have so many samples, but one at least. They
 * count as those that have them. Returns how many. */
size_t settle_backlog_begin_series(struct settle_backlog *backlog, int64_t samples_max,
				   const char *ids[SETTLE_RUNS_MAX]);
