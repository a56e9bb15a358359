/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Settled runs of a store (docs/lake.md): what their pages show is stored once. Any thread.
 */
struct store;

/* What is known of a run since the store was opened. */
struct store_run_state {
	uint64_t settled; /* 0: it is not; else another number each time that it was settled */
	uint64_t
		touched_ns; /* when something last arrived of it, monotonic clock; 0: nothing did */
};

/* Settles runs that ended: stores what the queries about them answer, so that they read no more
 * than they answer, until anything late arrives about a run: then it is settled no more
 * (docs/lake.md). part: of the operation settle_begin (storage_engine.h). It may take minutes,
 * while batches are stored and queries answered; one thread at a time. *ret_done: false where
 * something arrived of one of them meanwhile, or the writer was busy: then nothing of the part is
 * stored. Errors of settle_begin; -ECANCELED: store_stop. */
int store_settle_runs(struct store *store, const char *const *run_ids, size_t count,
		      const char *part, bool *ret_done, struct error *err);
int store_settle(struct store *store, const char *run_id, const char *part, bool *ret_done,
		 struct error *err); /* one run */
/* Settles a run no more, say to settle it again. */
int store_unsettle(struct store *store, const char *run_id, struct error *err);
void store_run_state(struct store *store, const char *run_id, struct store_run_state *ret);
/* Stores a document about a settled run, of the kind and by the maker that the query
 * `settled_document` asks for. settled: of the state that the run had when the document was begun;
 * where it has another one, nothing is stored (-ESTALE). */
int store_keep(struct store *store, const char *run_id, uint64_t settled, const char *kind,
	       const char *maker, const char *text, struct error *err);
