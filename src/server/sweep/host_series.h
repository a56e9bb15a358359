/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/cleanup.h"

struct server;
struct store_rows;

/*
 * What hosts did, minute by minute or hour by hour, as sweeps have read it from the store: the next
 * sweep asks only for what came since, and again for the latest part, since an agent that was cut
 * off sends late. Now and then all is read again. Not locked: one thread at a time.
 */
struct host_series;

struct host_series_kind {
	const char *query; /* with a row an item, sorted by time within a host */
	const char *until; /* its parameter; the other one is since_at */
	size_t size;       /* of an item: its first member is int64_t at, its start */
	int64_t unit_ns;   /* that an item lasts; it is read once it is complete, unless: */
	bool partial;      /* also while it lasts */
	int64_t keep_ns, again_ns, renew_ns; /* what is held; read again; after which all is */
	int64_t chunk_ns;                    /* of a question, for the memory of its answer */
	void (*read)(const struct store_rows *rows, const int *columns, void *item);
	const char *const *columns; /* that `read` takes, behind host_id and at; ends with NULL */
};

extern const struct host_series_kind HOST_MINUTES; /* struct sweep_minute */
extern const struct host_series_kind HOST_HOURS;   /* struct sweep_hour */

#define HOST_SERIES_COLUMNS 10

/* The kind must outlive it. NULL: no memory. */
struct host_series *host_series_new(const struct host_series_kind *kind);
void host_series_free(struct host_series *series); /* NULL is fine */
DEFINE_CLEANUP(struct host_series *, host_series_free)

/* Reads what is missing until now_at. Errors as of query_named; what was read until then stays. */
int host_series_fill(struct host_series *series, struct server *server, int64_t now_at,
		     struct error *err);
/* Whether it can answer for this instant: not for one long before what it has read. */
bool host_series_reaches(const struct host_series *series, int64_t now_at);
/* Whether it would miss a part of a host, since this one was not known when that part was read. */
bool host_series_lacks(const struct host_series *series, const char *host_id, int64_t up_since);
/* Notes that a host is known, with items or not: many hosts of the last days are up no more.
 * -ENOMEM. */
int host_series_know(struct host_series *series, const char *host_id);
void host_series_forget(struct host_series *series);
/* A copy of the items of a host that were complete (or begun) at now_at, sorted; the caller frees
 * it. NULL with *ret_count 0: there is none. -ENOMEM. */
int host_series_copy(const struct host_series *series, const char *host_id, int64_t now_at,
		     void **ret, size_t *ret_count);
