/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/upkeep/upkeep.h"

struct duckdb_engine;

/* The operation forget of a store (lake/store/upkeep/upkeep.h). The keys that the writer remembers
 * may be gone afterwards: the engine must be opened again. */
int duckdb_forget(struct duckdb_engine *engine, const struct upkeep_subject *subject, bool dry,
		  struct upkeep_counts *ret, struct error *err);
