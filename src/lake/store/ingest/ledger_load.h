/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/ingest/batch_ledger.h"
#include "lake/store/storage_engine.h"

/* Reads which batches an engine has stored. Errors as of struct store_operations. */
int ledger_load(struct batch_ledger **ret, const struct store_operations *operations, void *engine,
		struct error *err);
