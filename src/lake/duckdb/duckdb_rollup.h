/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <duckdb.h>
#include <stdbool.h>

#include "lake/duckdb/duckdb_plan.h"

/* Sums that are kept beside the rows: schema/tables/host_rollups.sql, settled_activity.sql. */

/* How the samples of hosts are added to host_samples_new. Freed by duckdb_plan_free. Errors as of
 * duckdb_plan_make. */
int duckdb_rollup_plan(struct duckdb_plan **ret, duckdb_connection connection, struct error *err);

/* The operation roll_up, on the connection that writes. */
int duckdb_roll_up(duckdb_connection connection, bool *ret_more, struct error *err);
