/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * The .sql files of this folder, which are embedded in the program:
 *   schema/tables/  the tables, an .sql file a noun
 *   schema/migrations/  steps from one version of a file to the next (migrate/duckdb_migrate.h)
 *   schema/views/   views and macros that the queries share
 *   ingest/         the statements that write a batch
 *   changes/        changes of tables that no agent writes (change/duckdb_change.h)
 *   imports/        the statements that read a file of others and store it (import/)
 *   queries/        the named queries of lake/store/named_query.h
 */
struct duckdb_sql {
	const char *name; /* of the file, for messages: "tables/runs.sql" */
	const char *text;
};

/* In the order in which they are run; a NULL name ends each list. */
extern const struct duckdb_sql DUCKDB_TABLES[];
extern const struct duckdb_sql DUCKDB_VIEWS[];

/* queries/…/NAME.sql. NULL: there is no such query. */
const char *duckdb_sql_query(const char *name);
/* ingest/merge_NAME.sql, which moves the rows of staged_TABLE into a table that has a key. NULL:
 * the table has none. */
const char *duckdb_sql_merge(const char *table);

/* ingest/NAME.sql */
extern const char duckdb_sql_ingest_staging[];
extern const char duckdb_sql_ingest_close_lost[];
extern const char duckdb_sql_ingest_find_lost[];
extern const char duckdb_sql_ingest_fold_ledger[];
extern const char duckdb_sql_ingest_join[];
extern const char duckdb_sql_ingest_link_engine_reports[];
extern const char duckdb_sql_ingest_price_hosts[];
extern const char duckdb_sql_ingest_roll_up_hosts[];
extern const char duckdb_sql_ingest_roll_up_minutes[];
extern const char duckdb_sql_ingest_links_before[];
extern const char duckdb_sql_ingest_links_changed[];
extern const char duckdb_sql_ingest_settle_sums[];
extern const char duckdb_sql_ingest_settle_series[];
extern const char duckdb_sql_ingest_unsettle[];
extern const char duckdb_sql_ingest_read_samples[];
extern const char duckdb_sql_ingest_repack_settled[];
extern const char duckdb_sql_ingest_roll_up_samples[];
