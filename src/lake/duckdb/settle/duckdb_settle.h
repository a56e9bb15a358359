/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/duckdb/duckdb_engine.h"

/*
 * Settled runs in DuckDB: the tables settled_* (schema/tables/settled.sql,
 * schema/views/settled.sql). The operations of struct store_operations with these names.
 */
int duckdb_settle_begin(void *engine, const char *const *run_ids, size_t count, const char *part,
			void **ret, struct error *err);
int duckdb_settle_write(void *engine, void *settling, struct error *err);
int duckdb_settle_end(void *engine, void *settling, bool keep, struct error *err);
int duckdb_unsettle(void *engine, const char *run_id, bool alone, struct error *err);
int duckdb_keep(void *engine, const char *run_id, const char *kind, const char *maker,
		const char *text, struct error *err);

/* On the connection that writes, within a transaction, after links_before.sql and new links: the
 * runs of which these changed anything are settled no more. *ret_changed: there are any. */
int duckdb_settled_relink(duckdb_connection connection, bool *ret_changed, struct error *err);

/* Whether there is a settled run. False, too, where that cannot be read. */
bool duckdb_has_settled(duckdb_connection connection);
/* Once tables are made: those of settled runs are stored as they are read fastest. Where that fails
 * (a full disk), a warning is logged: they are as good as they were. */
void duckdb_repack_settled(duckdb_connection connection);

/* In the transaction of a named query, before it: where its run is settled, sets the schema in
 * which the connection finds macros and the number of the run. */
int duckdb_choose_settled(duckdb_connection connection, const char *query,
			  const struct store_param *params, size_t count, bool *ret_settled,
			  struct error *err);
