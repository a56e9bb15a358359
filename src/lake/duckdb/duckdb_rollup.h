/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdbool.h>

#include "lake/duckdb/duckdb_plan.h"
#include "lake/duckdb/duckdb_sums.h"

/* Sums that are kept beside the rows: schema/tables/host_rollups.sql, settled_activity.sql. */

/* How the samples of hosts are added to host_samples_new. Freed by duckdb_plan_free. Errors as of
 * duckdb_plan_make. */
int duckdb_rollup_plan(struct duckdb_plan **ret, duckdb_connection connection, struct error *err);

/* The operation roll_up, on the connection that writes. sums: of the writer; last: the number of
 * the last sample that was written. */
int duckdb_roll_up(duckdb_connection connection, struct duckdb_sums *sums, int64_t last,
		   bool *ret_more, struct error *err);
/* Adds `sums`, which are complete, to the tables, within the transaction of the caller. Once it is
 * committed: duckdb_sums_begin. */
int duckdb_roll_up_sums(duckdb_connection connection, const struct duckdb_sums *sums, int64_t last,
			struct error *err);
/* Whether all samples that are stored are in the tables. */
bool duckdb_is_rolled_up(duckdb_connection connection);
