/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "lake/store/store.h"

/* A real store in a folder of its own, batches made of literals, and answers as text. */
struct lake {
	char folder[64];
	char path[96];
	const char *engine; /* NULL: the first of lake/store/storage_engines.h */
	struct store *store;
	bool logged; /* with a log of batches, from its next opening on */
};

/* 2026-01-01T00:00:00Z, ns: tests count their seconds from here. */
#define T0 INT64_C(1767225600000000000)
#define S  INT64_C(1000000000)

void lake_make(struct lake *lake);
void lake_make_on(struct lake *lake, const char *engine);
void lake_close(struct lake *lake);
void lake_open(struct lake *lake);
/* Where its log of batches is; the caller frees it. */
char *lake_log_folder(const struct lake *lake);
void lake_remove(struct lake *lake); /* closes, too */
/* Of a test: *state is a new store, removed with it. */
int lake_setup(void **state);
int lake_teardown(void **state);

/* A batch of agent "agent", host "host", boot "boot", closed at T0 + sequence seconds. */
struct made {
	Signal__Batch batch;
};
void made_init(struct made *made, uint64_t sequence);
void made_clear(struct made *made); /* texts are not freed: they are literals */
/* Appends a message to a repeated field of Batch, by the field's name. */
void *made_add(struct made *made, const char *field);
/* Executions, tasks and runs with their keys and times (seconds after T0; end < 0: running). */
Signal__Execution *made_execution(struct made *made, uint32_t pid, const char *task,
				  const char *tool, double begin, double end);
Signal__Task *made_task(struct made *made, const char *id, const char *step, double begin,
			double end);
Signal__Run *made_run(struct made *made, const char *id, double begin, double end);
Signal__Sample *made_sample(struct made *made, uint32_t pid, const char *task, double since,
			    double until);
/* Figures of a message, made where missing. */
Signal__Figures *made_figures(Signal__Figures **figures);

/* Ingests and clears; asserts that it was stored (not a duplicate). */
void lake_store(struct lake *lake, struct made *made);

/* Runs a query with parameters "name=value …" (a value that begins with @ is a time in seconds
 * after T0, any other a number or a text as the query asks for; none is NULL; `reader` may be left
 * out) and writes the columns named, a blank between, a line a row; null as "-". Valid until the
 * next call. */
const char *lake_query(struct lake *lake, const char *query, const char *params,
		       const char *columns);
/* The first row as row_json writes it. Valid until the next call. */
const char *lake_query_json(struct lake *lake, const char *query, const char *params);
/* The same, -errno and words where it fails. */
int lake_try_query(struct lake *lake, const char *query, const char *params,
		   struct store_rows **ret, struct error *err);
