/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "lake/duckdb/archive/duckdb_archive.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/keep/duckdb_blocks.h"
#include "lake/duckdb/keep/duckdb_copy.h"
#include "lake/duckdb/keep/duckdb_mark.h"

#define TRIES  5 /* of a block that may be written at the moment */
#define TRY_US 200000

/* Tables that belong together. The query counts rows that have no counterpart; it is run where all
 * of its tables are there. */
static const struct {
	const char *tables, *query, *words;
} AGREEMENTS[] = {
	{ "'samples_packed', 'execution_keys'",
	  "SELECT count(*) FROM samples_packed ANTI JOIN execution_keys USING (execution_key)",
	  "samples of no execution" },
	{ "'execution_keys'",
	  "SELECT count(*) FROM (SELECT 1 FROM execution_keys GROUP BY execution_key HAVING "
	  "count(*) > 1)",
	  "executions with a number that is stored twice: their samples count double" },
	{ "'samples_packed', 'ledger'",
	  "SELECT count(*) FROM samples_packed AS s WHERE batch_key > 0 AND NOT EXISTS "
	  "(FROM ledger AS l WHERE l.batch_key = s.batch_key)",
	  "samples of batches that the ledger lacks" },
	{ "'settled', 'settled_runs', 'expired'",
	  "SELECT count(*) FROM settled AS s JOIN settled_runs AS r USING (number) WHERE NOT "
	  "s.rows_removed AND r.executions <> (SELECT count(*) FROM executions AS e WHERE "
	  "e.run_id = s.run_id)",
	  "settled runs that have another number of executions than their rows" },
	{ "'ledger'",
	  "SELECT count(*) FROM (SELECT 1 FROM ledger GROUP BY host_id, agent_id, boot_id, sequence "
	  "HAVING count(*) > 1)",
	  "batches that are in the ledger twice" },
};

struct check {
	struct duckdb_engine *engine;
	const struct upkeep *upkeep;
	duckdb_connection connection;
	struct buffer *report;
	size_t faults;
	int64_t rows; /* that batches brought */
};

void duckdb_check_fault(struct buffer *report, size_t *faults, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buffer_vprintf(report, format, args);
	va_end(args);
	buffer_append_char(report, '\n');
	(*faults)++;
}

/* The first cell as a number; a query that fails on a damaged block is a fault, and ends the
 * transaction. */
static int64_t number(struct check *check, const char *sql)
{
	duckdb_result result;
	int64_t value = 0;

	if (duckdb_query(check->connection, sql, &result) == DuckDBError) {
		duckdb_check_fault(check->report, &check->faults, "rows cannot be read: %s",
				   duckdb_result_error(&result));
		duckdb_run(check->connection, "ROLLBACK", "", NULL);
		duckdb_run(check->connection, "BEGIN", "", NULL);
	} else {
		value = duckdb_value_int64(&result, 0, 0);
	}
	duckdb_destroy_result(&result);
	return value;
}

static int64_t number_of(struct check *check, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static int64_t number_of(struct check *check, const char *format, ...)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	va_list args;

	buffer_init(&sql, 0);
	va_start(args, format);
	buffer_vprintf(&sql, format, args);
	va_end(args);
	return sql.failed ? 0 : number(check, sql.data);
}

static char *copy_text(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = duckdb_malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

/* The tables with a part of the block, as text; "": it is free, and what it holds does not matter.
 */
static char *users_of(struct check *check, duckdb_result *tables, int64_t block)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	duckdb_result result;
	char *users = NULL;

	buffer_init(&sql, 0);
	buffer_printf(&sql,
		      "SELECT string_agg(DISTINCT name, ', ') FROM (SELECT 'the catalogue' AS name "
		      "FROM pragma_metadata_info() WHERE block_id = %" PRId64,
		      block);
	for (idx_t i = 0; i < duckdb_row_count(tables); i++) {
		char *table = duckdb_value_varchar(tables, 0, i);

		buffer_printf(
			&sql,
			" UNION ALL SELECT '%s' FROM pragma_storage_info('%s') WHERE block_id "
			"= %" PRId64 " OR list_contains(additional_block_ids, %" PRId64 ")",
			table, table, block, block);
		duckdb_free(table);
	}
	buffer_append_char(&sql, ')');
	if (sql.failed)
		return NULL;
	/* Where the lists of blocks are damaged, too, it counts as used. */
	if (duckdb_query(check->connection, sql.data, &result) == DuckDBSuccess)
		users = duckdb_value_varchar(&result, 0, 0);
	else
		users = copy_text("a table that cannot be found");
	duckdb_destroy_result(&result);
	return users;
}

static void report_block(struct check *check, duckdb_result *tables, int64_t block)
{
	char *users;

	if (block < 0) {
		duckdb_check_fault(check->report, &check->faults,
				   "head %" PRId64 " of the file has a wrong checksum", -block);
		return;
	}
	users = users_of(check, tables, block);
	if (users)
		duckdb_check_fault(check->report, &check->faults,
				   "block %" PRId64 " has a wrong checksum; it holds rows of %s",
				   block, users);
	duckdb_free(users);
}

static int report_blocks(struct check *check, const struct duckdb_bad_blocks *bad,
			 struct error *err)
{
	duckdb_result tables;
	int rc = 0;

	if (duckdb_query(check->connection,
			 "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND "
			 "database_name = current_database()",
			 &tables) == DuckDBError)
		rc = error_set(err, -EIO, "the store's tables are not listed: %s",
			       duckdb_result_error(&tables));
	for (size_t i = 0; !rc && i < bad->count; i++)
		report_block(check, &tables, bad->numbers[i]);
	duckdb_destroy_result(&tables);
	return rc;
}

static int check_blocks(struct check *check, struct error *err)
{
	const char *path = duckdb_mark_path(check->engine->mark);
	CLEANUP(freep) struct duckdb_bad_blocks *bad = malloc(sizeof(*bad));
	int rc;

	if (!bad)
		return error_set(err, -ENOMEM, "out of memory");
	rc = duckdb_blocks_scan(check->engine->file, path, check->upkeep, bad, err);
	for (int i = 0; !rc && bad->count && i < TRIES; i++) {
		usleep(TRY_US);
		rc = duckdb_blocks_again(check->engine->file, path, bad, err);
	}
	if (!rc && bad->count)
		rc = report_blocks(check, bad, err);
	return rc;
}

/* A table with the columns of a batch: every row is of a batch of the ledger. */
static void check_table(struct check *check, const char *table)
{
	int64_t orphans;

	check->rows += number_of(check, "SELECT count(*) FROM \"%s\"", table);
	orphans = number_of(check,
			    "SELECT count(*) FROM \"%s\" ANTI JOIN ledger USING (host_id, "
			    "agent_id, boot_id, sequence)",
			    table);
	if (orphans)
		duckdb_check_fault(check->report, &check->faults,
				   "%s: %" PRId64 " rows of batches that the ledger lacks", table,
				   orphans);
	if (number_of(check, "SELECT bit_xor(hash(t)) IS NULL AND count(*) > 0 FROM \"%s\" AS t",
		      table))
		duckdb_check_fault(check->report, &check->faults, "%s: rows cannot be read", table);
}

/* Whether the rows of the table say of which batch they are, by its texts. */
static bool names_batches(struct check *check, const char *table)
{
	return number_of(check,
			 "SELECT count(*) FROM duckdb_columns() WHERE table_name = '%s' AND "
			 "database_name = current_database() AND column_name IN ('host_id', "
			 "'agent_id', 'boot_id', 'sequence')",
			 table) == 4;
}

static int check_tables(struct check *check, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < TABLES_COUNT; i++) {
		rc = duckdb_upkeep_say(check->upkeep, err, "compares %s with the ledger",
				       TABLES[i].name);
		if (!rc && names_batches(check, TABLES[i].name))
			check_table(check, TABLES[i].name);
	}
	return rc;
}

static bool has_tables(struct check *check, const char *tables)
{
	return number_of(check,
			 "SELECT (SELECT count(*) FROM duckdb_tables() WHERE database_name = "
			 "current_database() AND table_name IN (%s)) = len([%s])",
			 tables, tables) != 0;
}

static void check_agreements(struct check *check)
{
	for (size_t i = 0; i < sizeof(AGREEMENTS) / sizeof(AGREEMENTS[0]); i++) {
		int64_t count = has_tables(check, AGREEMENTS[i].tables)
					? number(check, AGREEMENTS[i].query)
					: 0;

		if (count)
			duckdb_check_fault(check->report, &check->faults, "%" PRId64 " %s", count,
					   AGREEMENTS[i].words);
	}
}

/* The ledger says how many rows each batch brought; merges, retention and joins make them fewer. */
static void check_sum(struct check *check)
{
	int64_t brought = number(check, "SELECT coalesce(sum(records), 0)::BIGINT FROM ledger");

	if (has_tables(check, "'samples_packed'"))
		check->rows += number(check, "SELECT count(*) FROM samples_packed");
	if (check->rows > brought)
		duckdb_check_fault(check->report, &check->faults,
				   "the tables have %" PRId64
				   " rows, and all batches brought %" PRId64,
				   check->rows, brought);
}

/* One transaction: all tables as of one instant. */
static int check_rows(struct check *check, struct error *err)
{
	int rc = duckdb_run(check->connection, "BEGIN", "the check cannot begin", err);

	if (!rc)
		rc = check_tables(check, err);
	if (!rc) {
		check_agreements(check);
		check_sum(check);
	}
	duckdb_run(check->connection, "ROLLBACK", "", NULL);
	return rc;
}

int duckdb_check(struct duckdb_engine *engine, const struct upkeep *upkeep, struct buffer *report,
		 size_t *ret_faults, struct error *err)
{
	struct check check = { .engine = engine, .upkeep = upkeep, .report = report };
	int rc;

	if (duckdb_connect(engine->database, &check.connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	rc = check_blocks(&check, err);
	if (!rc)
		rc = check_rows(&check, err);
	if (!rc && has_tables(&check, "'archived'"))
		rc = duckdb_archive_check(check.connection, engine->archive, upkeep, report,
					  &check.faults, err);
	duckdb_disconnect(&check.connection);
	*ret_faults = check.faults;
	return rc;
}
