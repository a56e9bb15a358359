/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "base/error.h"
#include "lake/store/upkeep/upkeep.h"

struct duckdb_engine;

/* Adds a line to the report, and 1 to *faults. */
void duckdb_check_fault(struct buffer *report, size_t *faults, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The operation check of a store (lake/store/upkeep/upkeep.h). */
int duckdb_check(struct duckdb_engine *engine, const struct upkeep *upkeep, struct buffer *report,
		 size_t *ret_faults, struct error *err);
