/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/store.h"

/*
 * What an engine does for the store; store.c decides everything else. ingest is never called by two
 * threads at once; query by any number, also during ingest. Errors as in store.h, and
 * -ENOTRECOVERABLE: the engine gave up and does nothing more until it is opened anew.
 */
struct store_operations {
	const char *name;
	int (*open)(void **ret_engine, const struct store_options *options, struct error *err);
	void (*close)(void *engine);
	int (*ingest)(void *engine, const Signal__Batch *batch, bool *ret_duplicate,
		      struct error *err);
	int (*link)(void *engine, struct error *err); /* as ingest */
	/* name is of lake/store/named_query.h, params are as it asks for. */
	int (*query)(void *engine, const char *name, const struct store_param *params, size_t count,
		     struct store_rows **ret, struct error *err);
	void (*stop)(void *engine); /* ends queries that run, and those to come */
};

extern const struct store_operations duckdb_operations;
