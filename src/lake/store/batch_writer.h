/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/storage_engine.h"

/*
 * Stores one batch in an engine, in one transaction: its records; the joins of runs which its
 * links show to be one run; `lost`, for what its scan did not find; its key.
 */
struct batch_writer {
	const struct store_operations *operations;
	void *engine;
	/* Of the engine's database; NULL: to be read from it. Owned. */
	struct merged_runs *merged;
};

/* Reads what must be known of the database. Errors as of struct store_operations. */
int batch_writer_open(struct batch_writer *writer, struct error *err);
/* Errors as of struct store_operations; *ret_duplicate is set on return 0. One thread at a time. */
int batch_writer_store(struct batch_writer *writer, const Signal__Batch *batch, bool *ret_duplicate,
		       struct error *err);
