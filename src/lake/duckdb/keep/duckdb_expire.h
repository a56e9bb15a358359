/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/upkeep/upkeep.h"

struct duckdb_engine;

/* The operations expire and used of a store (lake/store/upkeep/upkeep.h). */
int duckdb_expire(struct duckdb_engine *engine, const struct upkeep_expire *expire, bool *ret_more,
		  struct error *err);
int duckdb_used(struct duckdb_engine *engine, uint64_t *ret_bytes, struct error *err);
