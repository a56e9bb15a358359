/* SPDX-License-Identifier: Apache-2.0 */
/*
 * append SOURCE TARGET ROWS GROUP SECONDS: what DuckDB's own appender does with the tables of a
 * lake. Makes the tables of samples and the ledger as SOURCE has them in the new file TARGET, and
 * appends rows of SOURCE to them for SECONDS: GROUP batches of ROWS rows in a transaction, with a
 * row of the ledger each. Prints one line of JSON.
 */
#include <duckdb.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lake/duckdb/figures/duckdb_functions.h"

#define APPENDED_MAX 8
#define CHUNKS_MAX   128
#define ROWS_READ    200000
#define TEXT_MAX     65536
#define FIELDS_MAX   32

struct appended {
	char name[64];
	duckdb_data_chunk chunks[CHUNKS_MAX];
	unsigned count, next;
	double share; /* rows in it for each sample */
	double owed;  /* rows that are to be appended */
	duckdb_appender appender;
};

struct ledger {
	char *fields[FIELDS_MAX]; /* of one row; those of `sequence` are counted on instead */
	unsigned count, sequence;
	uint64_t last;
	duckdb_appender appender;
};

struct run {
	duckdb_connection source, target; /* two of one database, which has SOURCE attached */
	struct appended tables[APPENDED_MAX];
	unsigned count;
	struct ledger ledger;
	uint64_t rows, batches;
};

static void need(int good, const char *what, const char *why)
{
	if (good)
		return;
	fprintf(stderr, "%s: %s\n", what, why ? why : "failed");
	exit(1);
}

static duckdb_result query(duckdb_connection connection, const char *statement)
{
	duckdb_result rows;

	if (duckdb_query(connection, statement, &rows) == DuckDBError)
		need(0, statement, duckdb_result_error(&rows));
	return rows;
}

static void run_statement(duckdb_connection connection, const char *statement)
{
	duckdb_result rows = query(connection, statement);

	duckdb_destroy_result(&rows);
}

/* Opens the new file TARGET with the tables of SOURCE: with the compression of their columns, which
 * their statements in duckdb_tables() lack. (Views need the functions of the lake.) */
static void open_files(struct run *run, const char *source, const char *target)
{
	char statement[TEXT_MAX];
	duckdb_database database;
	duckdb_config config;
	duckdb_result rows;
	char *words = NULL;

	need(duckdb_create_config(&config) == DuckDBSuccess, "config", NULL);
	duckdb_set_config(config, "storage_compatibility_version", "latest");
	need(duckdb_open_ext(target, &database, config, &words) == DuckDBSuccess, target, words);
	duckdb_destroy_config(&config);
	need(duckdb_connect(database, &run->source) == DuckDBSuccess, source, NULL);
	need(duckdb_connect(database, &run->target) == DuckDBSuccess, target, NULL);
	need(duckdb_functions_register(run->source, NULL) == 0, target, NULL);
	snprintf(statement, sizeof(statement), "ATTACH '%s' AS source (READ_ONLY)", source);
	run_statement(run->source, statement);
	rows = query(run->source, "SELECT current_database()");
	words = duckdb_value_varchar(&rows, 0, 0);
	snprintf(statement, sizeof(statement),
		 "COPY FROM DATABASE source TO \"%s\" (SCHEMA); USE source", words);
	run_statement(run->source, statement);
	duckdb_free(words);
	duckdb_destroy_result(&rows);
}

static void read_chunks(const struct run *run, struct appended *table)
{
	char statement[256];
	duckdb_result rows;

	snprintf(statement, sizeof(statement), "SELECT * FROM %s LIMIT %d", table->name, ROWS_READ);
	rows = query(run->source, statement);
	while (table->count < CHUNKS_MAX) {
		duckdb_data_chunk chunk = duckdb_fetch_chunk(rows);

		if (!chunk)
			break;
		table->chunks[table->count++] = chunk;
	}
	duckdb_destroy_result(&rows);
}

static duckdb_appender appender_of(const struct run *run, const char *name)
{
	duckdb_appender appender;

	need(duckdb_appender_create(run->target, NULL, name, &appender) == DuckDBSuccess, name,
	     NULL);
	return appender;
}

static void open_tables(struct run *run)
{
	duckdb_result rows = query(
		run->source,
		"SELECT table_name, estimated_size FROM duckdb_tables() "
		"WHERE database_name = 'source' AND table_name LIKE 'samples%' ORDER BY estimated_size DESC");
	double most = 0;

	for (idx_t i = 0; i < duckdb_row_count(&rows) && run->count < APPENDED_MAX; i++) {
		struct appended *table = &run->tables[run->count++];
		char *name = duckdb_value_varchar(&rows, 0, i);
		double size = duckdb_value_double(&rows, 1, i);

		snprintf(table->name, sizeof(table->name), "%s", name);
		duckdb_free(name);
		most = i ? most : size;
		read_chunks(run, table);
		table->share = most > 0 && table->count ? size / most : 0;
		table->appender = appender_of(run, table->name);
	}
	need(run->count && run->tables[0].count, "SOURCE", "it has no samples");
	duckdb_destroy_result(&rows);
}

static void open_ledger(struct run *run)
{
	struct ledger *ledger = &run->ledger;
	duckdb_result rows = query(run->source, "SELECT * FROM ledger LIMIT 1");

	ledger->count = (unsigned)duckdb_column_count(&rows);
	need(ledger->count <= FIELDS_MAX && duckdb_row_count(&rows) == 1, "ledger", "it is empty");
	ledger->sequence = ledger->count;
	for (unsigned i = 0; i < ledger->count; i++) {
		if (strcmp(duckdb_column_name(&rows, i), "sequence") == 0)
			ledger->sequence = i;
		ledger->fields[i] = duckdb_value_varchar(&rows, i, 0);
	}
	ledger->appender = appender_of(run, "ledger");
	duckdb_destroy_result(&rows);
}

static void append_rows(struct appended *table, double rows)
{
	table->owed += rows * table->share;
	while (table->count) {
		duckdb_data_chunk chunk = table->chunks[table->next % table->count];

		if (table->owed < (double)duckdb_data_chunk_get_size(chunk))
			break;
		table->owed -= (double)duckdb_data_chunk_get_size(chunk);
		table->next++;
		need(duckdb_append_data_chunk(table->appender, chunk) == DuckDBSuccess, table->name,
		     duckdb_appender_error(table->appender));
	}
	need(duckdb_appender_flush(table->appender) == DuckDBSuccess, table->name,
	     duckdb_appender_error(table->appender));
}

static void append_ledger(struct ledger *ledger, unsigned batches)
{
	duckdb_appender appender = ledger->appender;

	for (unsigned batch = 0; batch < batches; batch++) {
		ledger->last++;
		for (unsigned i = 0; i < ledger->count; i++)
			if (i == ledger->sequence)
				duckdb_append_int64(appender, (int64_t)ledger->last);
			else if (ledger->fields[i])
				duckdb_append_varchar(appender, ledger->fields[i]);
			else
				duckdb_append_null(appender);
		need(duckdb_appender_end_row(appender) == DuckDBSuccess, "ledger",
		     duckdb_appender_error(appender));
	}
	need(duckdb_appender_flush(appender) == DuckDBSuccess, "ledger",
	     duckdb_appender_error(appender));
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void append_group(struct run *run, unsigned rows, unsigned group)
{
	run_statement(run->target, "BEGIN TRANSACTION");
	for (unsigned i = 0; i < run->count; i++)
		append_rows(&run->tables[i], (double)rows * group);
	append_ledger(&run->ledger, group);
	run_statement(run->target, "COMMIT");
	run->rows += (uint64_t)rows * group;
	run->batches += group;
}

int main(int argc, char **argv)
{
	static struct run run;
	unsigned rows, group;
	double began_s, lasts_s;

	if (argc != 6)
		return 2;
	rows = (unsigned)strtoul(argv[3], NULL, 10);
	group = (unsigned)strtoul(argv[4], NULL, 10);
	lasts_s = strtod(argv[5], NULL);
	open_files(&run, argv[1], argv[2]);
	open_tables(&run);
	open_ledger(&run);
	began_s = now_s();
	while (now_s() - began_s < lasts_s)
		append_group(&run, rows, group);
	lasts_s = now_s() - began_s;
	printf("{\"batches\": %" PRIu64 ", \"rows\": %" PRIu64 ", \"seconds\": %.3f}\n",
	       run.batches, run.rows, lasts_s);
	return 0;
}
