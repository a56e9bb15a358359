/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/storage_engine.h"

/* Work on the engine of a store that is no query and no batch (upkeep.c). */
struct store_work {
	bool complete; /* it begins once all is stored that is acknowledged; -EIO: that cannot be */
	bool writes; /* no batch is stored meanwhile, and what the store remembers is read again */
	const bool *changed; /* of what writes: false: run did nothing after all; NULL: it did */
	int (*run)(const struct store_operations *operations, void *engine, void *context,
		   struct error *err);
	/* Behind run, where that returned 0: the engine is closed, queries wait, and this may
	 * replace its files; then it is opened again. NULL: none of it. */
	int (*replace)(const struct store_operations *operations,
		       const struct store_options *options, void *context, struct error *err);
	void *context;
};

/* Closes the engine and opens it again; queries that come meanwhile wait. Nothing is done where one
 * runs. The caller holds store->writer. Where it cannot be opened, the next use tries it again. */
int store_reopen(struct store *store, struct error *err);

/* What run or replace returned, or an error of opening the engine. */
int store_work(struct store *store, const struct store_work *work, struct error *err);
