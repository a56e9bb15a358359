/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "server/sweep/sweep_record.h"

/*
 * Looks for waste each minute, and keeps what it found (sweep_record.h). A thread of its own,
 * behind pipelines of this host: a sweep of a large lake takes seconds, and neither the server's
 * ticker nor the analysis of runs may delay it. Members lock themselves.
 */
struct server;
struct sweeper;

/* The last sweep, while it is held. */
struct sweep_view {
	int64_t now_at; /* of the sweep */
	const struct wastes *wastes;
	const struct sweep_record *record;
};

/* -ENOMEM, -EAGAIN with words. */
int sweeper_start(struct sweeper **ret, struct server *server, struct error *err);
/* Waits for the sweep that is being made. NULL is fine. */
void sweeper_stop(struct sweeper *sweeper);
/* Holds the last sweep, after another one where that is older than max_age_ns, until sweeper_done.
 * Errors as of query_named: then nothing is held. */
int sweeper_look(struct sweeper *sweeper, uint64_t max_age_ns, struct sweep_view *ret,
		 struct error *err);
void sweeper_done(struct sweeper *sweeper);
