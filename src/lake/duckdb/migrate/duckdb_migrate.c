/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/migrate/duckdb_migrate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "lake/duckdb/duckdb_engine.h"

extern const char duckdb_sql_migration_001_tables[];
extern const char duckdb_sql_migration_003_ledger_host[];
extern const char duckdb_sql_migration_004_narrow_samples[];
extern const char duckdb_sql_migration_005_packed_samples[];
extern const char duckdb_sql_migration_006_figure_sums[];
extern const char duckdb_sql_migration_007_activity_parts[];

static const struct duckdb_sql TABLES_OF_1[] = {
	{ "migrations/001_tables.sql", duckdb_sql_migration_001_tables },
	{ NULL, NULL },
};

/* A file of version 1 may lack columns and tables, whichever program made it; and it may have texts
 * that are longer than their bounds. Its memory may not suffice to shorten them. */
static int complete_first(duckdb_connection connection, struct error *err)
{
	struct error words = { "" };
	int rc = duckdb_run_all(connection, TABLES_OF_1, err);

	if (!rc)
		rc = duckdb_widen(connection, TABLES_OF_1, NULL, err);
	if (!rc && duckdb_shorten(connection, &words))
		log_warning("%s. Pages that show them may fail; let the store use more memory "
			    "(--memory-limit)",
			    error_text(&words));
	return rc;
}

const struct duckdb_migration DUCKDB_MIGRATIONS[] = {
	{ 2, "adds missing columns, shortens texts beyond their bounds", complete_first, NULL },
	{ 3, "gives the ledger a key with the host", NULL, duckdb_sql_migration_003_ledger_host },
	{ 4, "moves samples into narrow tables", NULL, duckdb_sql_migration_004_narrow_samples },
	{ 5, "packs the figures of samples", NULL, duckdb_sql_migration_005_packed_samples },
	{ 6, "sums up the figures of open executions", NULL, duckdb_sql_migration_006_figure_sums },
	{ 7, "drops CPU time by step and tool", NULL, duckdb_sql_migration_007_activity_parts },
	{ 0, NULL, NULL, NULL },
};

unsigned duckdb_last_version(const struct duckdb_migration *steps)
{
	unsigned version = DUCKDB_VERSION_UNMARKED;

	for (; steps->words; steps++)
		version = steps->version;
	return version;
}

static int query(duckdb_connection connection, const char *sql, duckdb_result *ret,
		 struct error *err)
{
	int rc = 0;

	if (duckdb_query(connection, sql, ret) == DuckDBError) {
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(ret)),
			       "the store's version cannot be read: %s", duckdb_result_error(ret));
		duckdb_destroy_result(ret);
	}
	return rc;
}

/* Which of the tables are there by which the version is known. */
static int look(duckdb_connection connection, int64_t *ret_marked, int64_t *ret_ours,
		int64_t *ret_tables, struct error *err)
{
	duckdb_result counts;
	int rc = query(connection,
		       "SELECT count(*) FILTER (table_name = 'schema_version'), "
		       "count(*) FILTER (table_name IN ('layout', 'ledger', 'runs')), count(*) "
		       "FROM duckdb_tables() WHERE database_name = current_database()",
		       &counts, err);

	if (rc)
		return rc;
	*ret_marked = duckdb_value_int64(&counts, 0, 0);
	*ret_ours = duckdb_value_int64(&counts, 1, 0);
	*ret_tables = duckdb_value_int64(&counts, 2, 0);
	duckdb_destroy_result(&counts);
	return 0;
}

static int refuse_later(duckdb_result *row, int64_t version, unsigned newest, struct error *err)
{
	char *program = duckdb_value_varchar(row, 1, 0);
	int rc = error_set(err, -EINVAL,
			   "tracer-lake %s made the store with schema version %lld; this is "
			   "tracer-lake %s, which knows versions up to %u. Install tracer-lake %s "
			   "or later (docs/operate.md)",
			   program, (long long)version, TRACER_VERSION, newest, program);

	duckdb_free(program);
	return rc;
}

static int read_mark(duckdb_connection connection, unsigned newest, unsigned *ret,
		     struct error *err)
{
	duckdb_result row;
	int64_t version;
	int rc = query(connection, "SELECT version, program FROM schema_version", &row, err);

	if (rc)
		return rc;
	version = duckdb_row_count(&row) == 1 ? duckdb_value_int64(&row, 0, 0) : 0;
	if (version <= DUCKDB_VERSION_UNMARKED)
		rc = error_set(
			err, -EINVAL,
			"the store does not say of which version it is: something else "
			"changed its table schema_version. Restore a copy (docs/operate.md)");
	else if (version > newest)
		rc = refuse_later(&row, version, newest, err);
	else
		*ret = (unsigned)version;
	duckdb_destroy_result(&row);
	return rc;
}

int duckdb_version_read(duckdb_connection connection, unsigned newest, unsigned *ret,
			struct error *err)
{
	int64_t marked = 0, ours = 0, tables = 0;
	int rc = look(connection, &marked, &ours, &tables, err);

	if (rc)
		return rc;
	if (marked)
		return read_mark(connection, newest, ret, err);
	if (tables && !ours)
		return error_set(err, -EINVAL,
				 "the store's file is a DuckDB database of something else: it has "
				 "tables, and none of Tracer's. Choose another --data-folder");
	*ret = tables ? DUCKDB_VERSION_UNMARKED : DUCKDB_VERSION_NEW;
	return 0;
}

int duckdb_version_write(duckdb_connection connection, unsigned version, struct error *err)
{
	char sql[320];

	snprintf(sql, sizeof(sql),
		 "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL, program "
		 "VARCHAR NOT NULL, changed_at TIMESTAMP NOT NULL); DELETE FROM schema_version; "
		 "INSERT INTO schema_version VALUES (%u, '%s', "
		 "CAST(now() AT TIME ZONE 'UTC' AS TIMESTAMP))",
		 version, TRACER_VERSION);
	return duckdb_run(connection, sql, "the store's version is not written", err);
}

static int run_step(duckdb_connection connection, const struct duckdb_migration *step,
		    struct error *err)
{
	int rc = step->prepare ? step->prepare(connection, err) : 0;

	if (!rc)
		rc = duckdb_run(connection, "BEGIN", step->words, err);
	if (rc)
		return rc;
	if (step->sql)
		rc = duckdb_run_long(connection, step->sql, step->words, err);
	if (!rc)
		rc = duckdb_version_write(connection, step->version, err);
	if (!rc)
		rc = duckdb_run(connection, "COMMIT", step->words, err);
	if (rc)
		duckdb_run(connection, "ROLLBACK", step->words, NULL);
	return rc;
}

int duckdb_migrate(duckdb_connection connection, const struct duckdb_migration *steps,
		   unsigned version, struct error *err)
{
	unsigned last = duckdb_last_version(steps);
	int rc = 0;

	for (; !rc && steps->words; steps++) {
		if (steps->version <= version)
			continue;
		log_info("the store goes from schema version %u to %u of %u: it %s",
			 steps->version - 1, steps->version, last, steps->words);
		rc = run_step(connection, steps, err);
		if (!rc)
			log_info("the store has schema version %u", steps->version);
	}
	return rc;
}
