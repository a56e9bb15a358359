/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * The store of the execution signal. One process holds it; store_ingest is called by one writer at
 * a time (it locks), store_query by any thread. Engines stand behind struct store_operations
 * (duckdb.c is the embedded one); schema and queries are .sql files of this folder.
 */
struct store;
struct store_rows;

struct store_options {
	const char *engine;      /* its name (engines.h); NULL: the first */
	const char *path;        /* the database file */
	uint64_t memory_limit;   /* bytes for the engine; 0: 1 GiB */
	unsigned threads;        /* of the engine; 0: as many as CPUs */
	uint64_t query_limit_ns; /* how long a query may take; 0: half a minute */
};

int store_open(struct store **ret, const struct store_options *options, struct error *err);
void store_close(struct store *store); /* checkpoints; NULL is fine */

/* Commits a batch's rows and its ledger key (agent, boot, sequence) in one transaction; on return 0
 * it is durable. *ret_duplicate: the ledger knew it, nothing was written. -EPROTO: the batch itself
 * can't be stored (words); other errors: try again later. */
int store_ingest(struct store *store, const Signal__Batch *batch, bool *ret_duplicate,
		 struct error *err);

/* Finds the runs and tasks that engines told of (told_runs, told_tasks) among those that agents
 * saw. What is not there yet a later call finds. Errors as of store_ingest. */
int store_link(struct store *store, struct error *err);

enum store_type {
	STORE_NULL,
	STORE_TEXT,
	STORE_I64,
	STORE_DOUBLE,
	STORE_BOOL,
	STORE_TIME,
	STORE_JSON
};

struct store_param {
	const char *name; /* of $name in the .sql file */
	enum store_type type;
	union {
		const char *text;
		int64_t i64; /* also STORE_TIME: ns since the epoch */
		double number;
		bool flag;
	};
};

/* Runs queries/NAME.sql; every parameter must be given, STORE_NULL where there is no value.
 * -ENOENT: no such query; -EINVAL: a parameter is missing or unknown; -EMSGSIZE: more than fits
 * into memory; -ETIMEDOUT: it took longer than it may; -ECANCELED: store_stop. Rows are freed by
 * store_rows_free. */
int store_query(struct store *store, const char *name, const struct store_param *params,
		size_t count, struct store_rows **ret, struct error *err);
void store_rows_free(struct store_rows *rows);
/* Ends queries that run, and those to come; what is written is written to its end. */
void store_stop(struct store *store);

size_t store_columns(const struct store_rows *rows);
const char *store_column_name(const struct store_rows *rows, size_t column);
enum store_type store_column_type(const struct store_rows *rows, size_t column);
/* -1: no such column. */
int store_column(const struct store_rows *rows, const char *name);
/* Moves to the next row (the first at the first call); false at the end. */
bool store_next(struct store_rows *rows);
/* Before the first row again. */
void store_rewind(struct store_rows *rows);
bool store_is_null(const struct store_rows *rows, size_t column);
/* Texts (STORE_TEXT, STORE_JSON; NULL for others and for null) are valid until store_rows_free.
 * STORE_TIME is ns since the epoch; HUGEINT sums are cut to int64; numbers turn into each other,
 * null is 0. */
const char *store_text(const struct store_rows *rows, size_t column);
int64_t store_i64(const struct store_rows *rows, size_t column);
double store_double(const struct store_rows *rows, size_t column);
bool store_bool(const struct store_rows *rows, size_t column);

/* A query that can be paged through takes $cursor and $limit and has a column of this name: that of
 * a page's last row is the next page's $cursor (NULL: from the start). It is no part of the JSON.
 */
#define STORE_CURSOR "cursor"

/* A whole row as a JSON object: times as RFC 3339, JSON columns and lists inline, NULL as null. */
struct json;
void store_row_json(const struct store_rows *rows, struct json *json);
/* The same without the braces, for an object that gets more fields. */
void store_row_fields(const struct store_rows *rows, struct json *json);
