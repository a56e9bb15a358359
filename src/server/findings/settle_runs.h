/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "server/query/run.h"

/*
 * Settles runs that ended (lake/store/settle/store_settle.h), with their findings and wall time:
 * the sums of several together, as that takes hardly longer than those of one, and their series;
 * then what else is stored of each. Where the server ends before, settle_due finds them again.
 */
#define SETTLE_RUNS_MAX 50

struct server;

/* Runs with sums; what else is stored of them is not there yet from the next one on. */
struct settle_batch {
	char ids[SETTLE_RUNS_MAX][RUN_ID_SIZE];
	bool settled[SETTLE_RUNS_MAX]; /* before, by another program or not completely */
	size_t count, next;
	bool has_series;
};

/* One piece of this work. Returns whether there was one, so that there may be more. *ret_later: a
 * run is due in a while, when nothing arrived of it until then. One thread. */
bool settle_next(struct server *server, bool *ret_later);
