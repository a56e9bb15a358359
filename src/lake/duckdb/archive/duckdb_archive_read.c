/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/archive/duckdb_archive.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/keep/duckdb_check.h"
#include "lake/duckdb/keep/duckdb_copy.h"
#include "lake/store/rows.h"
#include "signal.pb-c.h"

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

#define MISSING \
	"is missing from archive-folder: put it back, or forget its run (tracer-lake forget)"

/* Which queries read rows of a run that may be in the archive: of these kinds. Where what was
 * stored of a settled run answers one (`samples` in the buckets of pages), it does not come here.
 */
static const struct reader {
	const char *query, *kinds;
} READERS[] = {
	{ "processes", "'executions', 'samples'" }, /* samples: of those that were found or lost */
	{ "samples", "'executions', 'samples'" },
	{ "files", "'files', 'executions'" },
	{ "networks", "'networks', 'executions'" },
	{ "io_latencies", "'io_latencies', 'executions'" },
	{ "syscalls", "'syscalls', 'executions'" },
};

static const struct reader *find(const char *query)
{
	for (size_t i = 0; i < sizeof(READERS) / sizeof(READERS[0]); i++)
		if (strcmp(READERS[i].query, query) == 0)
			return &READERS[i];
	return NULL;
}

static bool is_there(const char *folder, const char *name)
{
	CLEANUP(freep) char *path = NULL;

	return asprintf(&path, "%s/%s", folder, name) >= 0 && access(path, R_OK) == 0;
}

/* Samples have a column for each figure in the archive, one for all in the table. A file of before
 * there was a figure lacks it: 0. */
static void write_figures(struct buffer *sql)
{
	const ProtobufCMessageDescriptor *message = &signal__figures__descriptor;
	unsigned last = 0;

	for (unsigned i = 0; i < message->n_fields; i++)
		last = message->fields[i].id > last ? message->fields[i].id : last;
	buffer_append_text(sql, "pack_figures([");
	for (unsigned number = 1; number <= last; number++) {
		const ProtobufCFieldDescriptor *field =
			protobuf_c_message_descriptor_get_field(message, number);

		buffer_append_text(sql, number > 1 ? ", " : "");
		if (field)
			buffer_printf(sql, "coalesce(%s, 0)", field->name);
		else
			buffer_append_char(sql, '0');
	}
	buffer_append_text(sql, "]) AS figures");
}

/* The files of a kind as a table. rows: at the first of them; behind them afterwards (*ret_more: at
 * one of another kind). */
static int write_files(struct buffer *sql, const char *folder, struct store_rows *rows,
		       const char *kind, bool *ret_more, struct error *err)
{
	const char *separator = "";

	buffer_append_text(sql, "read_parquet([");
	do {
		const char *name = store_text(rows, 1);

		if (!is_there(folder, name))
			return error_set(err, -EREMOTEIO, "the archive's file %s " MISSING, name);
		buffer_printf(sql, "%s'%s/%s'", separator, folder, name);
		separator = ", ";
		*ret_more = store_next(rows);
	} while (*ret_more && strcmp(store_text(rows, 0), kind) == 0);
	buffer_append_text(sql, "], union_by_name = true, hive_partitioning = false)");
	return 0;
}

/* Archived samples are in no sum, whether they were before or not. */
#define NO_SUM "9223372036854775807"

/* A temporary view, which comes before the table of its name: the table's rows and those of the
 * files. A temporary schema is called main, too: only the name of the database says which table is
 * meant. */
static int write_view(struct buffer *sql, const char *folder, struct store_rows *rows,
		      const char *database, bool *ret_more, struct error *err)
{
	CLEANUP(freep) char *kind = strdup(store_text(rows, 0));
	bool samples = kind && strcmp(kind, "samples") == 0;
	const char *table = samples ? "samples_packed" : kind;
	int rc;

	if (!kind)
		return error_set(err, -ENOMEM, "out of memory");
	buffer_printf(sql, "CREATE TEMP VIEW %s AS FROM \"%s\".main.%s UNION ALL BY NAME ", table,
		      database, table);
	if (samples) {
		buffer_append_text(sql, "SELECT " NO_SUM "::BIGINT AS sample_key, execution_key, "
					"since_at, until_at, ");
		write_figures(sql);
		buffer_append_text(sql,
				   " FROM (FROM (SELECT unnest(unpack_figures(''::BLOB)) LIMIT "
				   "0) UNION ALL BY NAME ");
	}
	buffer_append_text(sql, "FROM ");
	rc = write_files(sql, folder, rows, kind, ret_more, err);
	buffer_append_text(sql, samples ? ");" : ";");
	if (samples)
		buffer_printf(
			sql,
			"CREATE TEMP VIEW execution_sums AS FROM \"%s\".main.execution_sums "
			"WHERE execution_key NOT IN (SELECT execution_key FROM samples_packed "
			"WHERE sample_key = " NO_SUM ");",
			database);
	return rc;
}

/* The files of the run, by kind. */
static int list(duckdb_connection connection, const struct reader *reader,
		const struct store_param *run, struct store_rows **ret, struct error *err)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
		 "SELECT kind, name, current_database() FROM archived WHERE run_id = $run AND kind "
		 "IN (%s) ORDER BY kind, name",
		 reader->kinds);
	return duckdb_query_rows(connection, sql, run, 1, ret, err);
}

int duckdb_archive_choose(duckdb_connection connection, const char *folder, const char *query,
			  const struct store_param *params, size_t count, bool *ret_archived,
			  struct error *err)
{
	const struct reader *reader = folder ? find(query) : NULL;
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	CLEANUP(freep) char *database = NULL;
	bool more = false;
	int rc;

	*ret_archived = false;
	if (!reader)
		return 0;
	rc = list(connection, reader, duckdb_find_param(params, count, "run"), &rows, err);
	if (rc || !store_next(rows))
		return rc;
	*ret_archived = true;
	database = strdup(store_text(rows, 2));
	buffer_init(&sql, 0);
	do
		rc = database ? write_view(&sql, folder, rows, database, &more, err)
			      : error_set(err, -ENOMEM, "out of memory");
	while (!rc && more);
	if (!rc && sql.failed)
		rc = error_set(err, -ENOMEM, "out of memory");
	return rc ? rc : duckdb_run(connection, sql.data, "the archive", err);
}

int duckdb_archive_name_cure(int rc, struct error *err)
{
	struct error words;

	if (rc != -EIO && rc != -EPROTO)
		return rc;
	if (!err)
		return -EREMOTEIO;
	words = *err;
	return error_set(err, -EREMOTEIO,
			 "the archive cannot be read: tracer-lake check names the files that are "
			 "to be put back. DuckDB says: %s",
			 words.text);
}

struct check {
	duckdb_connection connection;
	const char *folder;
	struct buffer *report;
	size_t *faults;
};

/* All columns of all rows are read. */
static int check_file(struct check *check, const char *name, int64_t expected, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer sql = { 0 };
	duckdb_result result;
	int64_t count;

	if (!is_there(check->folder, name)) {
		duckdb_check_fault(check->report, check->faults, "the file %s " MISSING, name);
		return 0;
	}
	buffer_init(&sql, 0);
	buffer_printf(&sql,
		      "SELECT count(*), bit_xor(hash(t)) FROM read_parquet(['%s/%s'], "
		      "hive_partitioning = false) AS t",
		      check->folder, name);
	if (sql.failed)
		return error_set(err, -ENOMEM, "out of memory");
	if (duckdb_query(check->connection, sql.data, &result) == DuckDBError) {
		duckdb_check_fault(
			check->report, check->faults,
			"the file %s of the archive is damaged: put a copy of it back (%s)", name,
			duckdb_result_error(&result));
	} else {
		count = duckdb_value_int64(&result, 0, 0);
		if (count != expected)
			duckdb_check_fault(check->report, check->faults,
					   "the file %s of the archive has %" PRId64
					   " rows, and %" PRId64
					   " were written: put a copy of it back",
					   name, count, expected);
	}
	duckdb_destroy_result(&result);
	return 0;
}

int duckdb_archive_check(duckdb_connection connection, const char *folder,
			 const struct upkeep *upkeep, struct buffer *report, size_t *faults,
			 struct error *err)
{
	struct check check = { connection, folder, report, faults };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct error words = { "" };
	int rc = duckdb_query_rows(connection, "SELECT name, rows FROM archived ORDER BY name",
				   NULL, 0, &rows, &words);

	if (rc) {
		duckdb_check_fault(report, faults, "the list of the archive cannot be read: %s",
				   error_text(&words));
		return 0;
	}
	if (!folder && store_next(rows)) {
		duckdb_check_fault(
			report, faults,
			"the archive has files of this store, and archive-folder does not "
			"say where: they are not checked");
		return 0;
	}
	while (!rc && store_next(rows)) {
		rc = duckdb_upkeep_say(upkeep, err, "reads %s", store_text(rows, 0));
		if (!rc)
			rc = check_file(&check, store_text(rows, 0), store_i64(rows, 1), err);
	}
	return rc;
}
