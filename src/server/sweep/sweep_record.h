/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "sweep/sweep_outcome.h"
#include "sweep/waste.h"

struct server;

/*
 * What sweeps found that goes on, since when and since which sweep; kept in the lake (query
 * `wastes`), so that a restart forgets nothing. Used under the lock of sweeper.h.
 */
struct sweep_record;

struct waste_open {
	int64_t since_at, found_at;
};

/* Reads what was found and goes on, by a lake that was started at an instant. Errors as of
 * query_named. */
int sweep_record_load(struct sweep_record **ret, struct server *server, int64_t started_at,
		      struct error *err);
void sweep_record_free(struct sweep_record *record); /* NULL is fine */

/* Notes a sweep: what is new, has another price, or ended since the one before. before: what that
 * one found; NULL: it was before a restart. What ended is stored with its last words. Where the
 * store fails nothing is noted: the next sweep does. Errors as of store_change. */
int sweep_record_note(struct sweep_record *record, struct server *server,
		      const struct sweep_input *input, const struct wastes *found,
		      const struct wastes *before, struct error *err);
/* false: it is not noted. */
bool sweep_record_find(const struct sweep_record *record, const struct waste *waste,
		       struct waste_open *ret);
