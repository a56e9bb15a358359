/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/cleanup.h"
#include "lake/duckdb/duckdb_plan.h"
#include "lake/duckdb/duckdb_rollup.h"
#include "lake/duckdb/duckdb_sql.h"

#include <errno.h>
#include <stdlib.h>

struct duckdb_writer {
	duckdb_connection connection;
	duckdb_prepared_statement find, add; /* in the ledger */
	struct duckdb_plan *plans[TABLES_COUNT];
	struct duckdb_plan *host_samples_new;
	size_t records; /* of the batch that is being written */
};

void duckdb_writer_close(struct duckdb_writer *writer)
{
	if (!writer)
		return;
	for (size_t i = 0; i < TABLES_COUNT; i++)
		duckdb_plan_free(writer->plans[i]);
	duckdb_plan_free(writer->host_samples_new);
	duckdb_destroy_prepare(&writer->find);
	duckdb_destroy_prepare(&writer->add);
	duckdb_disconnect(&writer->connection);
	free(writer);
}

DEFINE_CLEANUP(struct duckdb_writer *, duckdb_writer_close)

/* Creates the tables where they are missing, and checks that this program can fill them. */
static int open_tables(struct duckdb_writer *writer, struct error *err)
{
	int rc = duckdb_layout_open(writer->connection, err);

	for (size_t i = 0; i < TABLES_COUNT && !rc; i++)
		rc = duckdb_plan_make(&writer->plans[i], writer->connection, &TABLES[i], err);
	if (!rc)
		rc = duckdb_rollup_plan(&writer->host_samples_new, writer->connection, err);
	return rc ? rc
		  : duckdb_run(writer->connection, duckdb_sql_ingest_staging, "staging.sql", err);
}

int duckdb_writer_open(struct duckdb_writer **ret, duckdb_database database, struct error *err)
{
	CLEANUP(duckdb_writer_closep) struct duckdb_writer *writer = calloc(1, sizeof(*writer));
	int rc;

	if (!writer || duckdb_connect(database, &writer->connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	rc = open_tables(writer, err);
	if (!rc)
		rc = duckdb_prepare_sql(writer->connection, duckdb_sql_ingest_ledger_find,
					&writer->find, err);
	if (!rc)
		rc = duckdb_prepare_sql(writer->connection, duckdb_sql_ingest_ledger_add,
					&writer->add, err);
	if (!rc)
		*ret = TAKE_PTR(writer);
	return rc;
}

/* Both statements of the ledger have these parameters. */
static void bind_batch(duckdb_prepared_statement statement, const Signal__Batch *batch)
{
	idx_t index;

	duckdb_bind_parameter_index(statement, &index, "host_id");
	duckdb_bind_varchar(statement, index, batch->host_id);
	duckdb_bind_parameter_index(statement, &index, "agent_id");
	duckdb_bind_varchar(statement, index, batch->agent_id);
	duckdb_bind_parameter_index(statement, &index, "boot_id");
	duckdb_bind_varchar(statement, index, batch->boot_id);
	duckdb_bind_parameter_index(statement, &index, "sequence");
	duckdb_bind_uint64(statement, index, batch->sequence);
}

static int execute(duckdb_prepared_statement statement, idx_t *ret_rows, struct error *err)
{
	duckdb_result result;
	duckdb_data_chunk chunk;
	int rc = 0;

	if (duckdb_execute_prepared(statement, &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)),
			       "the store's ledger: %s", duckdb_result_error(&result));
	chunk = rc ? NULL : duckdb_fetch_chunk(result);
	*ret_rows = chunk ? duckdb_data_chunk_get_size(chunk) : 0;
	duckdb_destroy_data_chunk(&chunk);
	duckdb_destroy_result(&result);
	return rc;
}

static int find_in_ledger(struct duckdb_writer *writer, const Signal__Batch *batch, bool *ret_found,
			  struct error *err)
{
	idx_t rows;
	int rc;

	bind_batch(writer->find, batch);
	rc = execute(writer->find, &rows, err);
	*ret_found = rows > 0;
	return rc;
}

static int add_to_ledger(struct duckdb_writer *writer, const Signal__Batch *batch, size_t records,
			 struct error *err)
{
	duckdb_timestamp created = { .micros = batch->created_at / 1000 };
	idx_t index, rows;

	bind_batch(writer->add, batch);
	duckdb_bind_parameter_index(writer->add, &index, "created_at");
	duckdb_bind_timestamp(writer->add, index, created);
	duckdb_bind_parameter_index(writer->add, &index, "records");
	duckdb_bind_int64(writer->add, index, (int64_t)records);
	return execute(writer->add, &rows, err);
}

/* Merges are planned for each batch, never prepared: DuckDB 1.5.6 plans with the smallest and
 * largest values of the tables at that time, keeps the plan when they change, and then finds no
 * rows. */
int duckdb_writer_write(struct duckdb_writer *writer, const Signal__Batch *batch,
			const struct merged_runs *merged, struct error *err)
{
	size_t twice = 0; /* they count once */

	for (size_t i = 0; i < TABLES_COUNT; i++) {
		const char *merge = duckdb_sql_merge(TABLES[i].name);
		size_t before = writer->records;
		int rc = duckdb_plan_append(writer->plans[i], writer->connection, merged, batch,
					    &writer->records, err);

		if (!rc && merge && writer->records > before)
			rc = duckdb_run(writer->connection, merge, TABLES[i].name, err);
		if (rc)
			return rc;
	}
	return duckdb_plan_append(writer->host_samples_new, writer->connection, merged, batch,
				  &twice, err);
}

int duckdb_writer_begin(struct duckdb_writer *writer, const Signal__Batch *batch,
			bool *ret_duplicate, struct error *err)
{
	int rc = duckdb_run(writer->connection, "BEGIN", "the store cannot begin", err);

	if (rc)
		return rc;
	writer->records = 0;
	rc = find_in_ledger(writer, batch, ret_duplicate, err);
	if (rc || *ret_duplicate)
		duckdb_writer_rollback(writer);
	return rc;
}

int duckdb_writer_read(struct duckdb_writer *writer, const char *name,
		       const struct store_param *params, size_t count, struct store_rows **ret,
		       struct error *err)
{
	return duckdb_query_rows(writer->connection, duckdb_sql_query(name), params, count, ret,
				 err);
}

int duckdb_writer_join(struct duckdb_writer *writer, const struct run_join *join, struct error *err)
{
	return duckdb_join(writer->connection, join, err);
}

int duckdb_writer_mark_lost(struct duckdb_writer *writer, struct error *err)
{
	return duckdb_run(writer->connection, duckdb_sql_ingest_close_lost, "close_lost.sql", err);
}

int duckdb_writer_commit(struct duckdb_writer *writer, const Signal__Batch *batch,
			 struct error *err)
{
	int rc = add_to_ledger(writer, batch, writer->records, err);

	return rc ? rc : duckdb_run(writer->connection, "COMMIT", "the store cannot commit", err);
}

void duckdb_writer_rollback(struct duckdb_writer *writer)
{
	duckdb_run(writer->connection, "ROLLBACK", "rollback", NULL);
}

int duckdb_writer_link(struct duckdb_writer *writer, struct error *err)
{
	int rc = duckdb_run(writer->connection, "BEGIN", "the store cannot begin", err);

	if (rc)
		return rc;
	rc = duckdb_run(writer->connection, duckdb_sql_ingest_link_engine_reports,
			"link_engine_reports.sql", err);
	if (!rc)
		rc = duckdb_run(writer->connection, "COMMIT", "the store cannot commit", err);
	if (rc)
		duckdb_run(writer->connection, "ROLLBACK", "rollback", NULL);
	return rc;
}

int duckdb_writer_roll_up(struct duckdb_writer *writer, struct error *err)
{
	return duckdb_roll_up(writer->connection, err);
}
