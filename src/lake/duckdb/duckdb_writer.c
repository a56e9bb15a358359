/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/duckdb_keys.h"
#include "lake/duckdb/duckdb_ledger.h"
#include "lake/duckdb/duckdb_plan.h"
#include "lake/duckdb/duckdb_rollup.h"
#include "lake/duckdb/duckdb_sql.h"
#include "lake/duckdb/duckdb_sums.h"
#include "lake/duckdb/settle/duckdb_settle.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD 8 /* samples, of which the memory is fetched before it is needed */

struct duckdb_writer {
	duckdb_connection connection;
	struct duckdb_plan *plans[TABLES_COUNT];
	struct duckdb_plan *host_samples_new;
	struct duckdb_keys *keys;
	struct duckdb_sums *sums;
	struct buffer rows;   /* of struct duckdb_row: those of one message */
	struct buffer wanted; /* of int64_t: by duckdb_keys_want, of all batches */
	size_t batches;       /* of the transaction */
	struct duckdb_ledger ledger;
};

void duckdb_writer_close(struct duckdb_writer *writer)
{
	if (!writer)
		return;
	for (size_t i = 0; i < TABLES_COUNT; i++)
		duckdb_plan_free(writer->plans[i]);
	duckdb_plan_free(writer->host_samples_new);
	duckdb_keys_free(writer->keys);
	duckdb_sums_free(writer->sums);
	buffer_clear(&writer->rows);
	buffer_clear(&writer->wanted);
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
	if (!rc)
		rc = duckdb_run(writer->connection, duckdb_sql_ingest_staging, "staging.sql", err);
	if (!rc)
		duckdb_ledger_open(&writer->ledger, writer->connection);
	if (!rc)
		rc = duckdb_keys_open(&writer->keys, writer->connection, 0, err);
	if (!rc && duckdb_is_rolled_up(writer->connection))
		duckdb_sums_begin(writer->sums);
	return rc;
}

int duckdb_writer_open(struct duckdb_writer **ret, duckdb_database database, struct error *err)
{
	CLEANUP(duckdb_writer_closep) struct duckdb_writer *writer = calloc(1, sizeof(*writer));
	int rc;

	if (writer)
		writer->sums = duckdb_sums_new();
	if (!writer || !writer->sums ||
	    duckdb_connect(database, &writer->connection) == DuckDBError)
		return error_set(err, -ENOMEM, "no memory to connect to the store");
	buffer_init(&writer->rows, 0);
	buffer_init(&writer->wanted, 0);
	rc = open_tables(writer, err);
	if (!rc)
		*ret = TAKE_PTR(writer);
	return rc;
}

static int want(struct duckdb_writer *writer, const struct duckdb_execution *execution)
{
	int64_t wanted = 0;
	int rc = duckdb_keys_want(writer->keys, execution, &wanted);

	buffer_append(&writer->wanted, &wanted, sizeof(wanted));
	return writer->wanted.failed ? -ENOMEM : rc;
}

/* Of how many records of a batch a number is wanted: its executions, then its samples. */
static size_t wanted_count(const Signal__Batch *batch)
{
	return batch->n_executions + batch->n_samples;
}

static int want_keys(struct duckdb_writer *writer, const Signal__Batch *batch, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < batch->n_executions && !rc; i++) {
		const Signal__Execution *execution = batch->executions[i];

		rc = want(writer,
			  &(struct duckdb_execution){ batch->host_id, execution->pid,
						      execution->start_ns, execution->image_seq });
	}
	for (size_t i = 0; i < batch->n_samples && !rc; i++) {
		const Signal__Sample *sample = batch->samples[i];

		if (i + AHEAD < batch->n_samples)
			__builtin_prefetch(batch->samples[i + AHEAD]);
		rc = want(writer,
			  &(struct duckdb_execution){ batch->host_id, sample->pid, sample->start_ns,
						      sample->image_seq });
	}
	return rc ? error_set(err, rc, "no memory for a batch") : 0;
}

/* Sets the numbers of a record, without reading it; first: where those that its batch wants begin.
 */
static void number(struct duckdb_writer *writer, const ProtobufCMessageDescriptor *of,
		   struct duckdb_row *row, size_t index, size_t first)
{
	const int64_t *wanted = (const int64_t *)(const void *)writer->wanted.data + first;

	if (of == &signal__execution__descriptor) {
		row->numbers.execution_key = duckdb_keys_number(writer->keys, wanted[index]);
	} else if (of == &signal__sample__descriptor) {
		row->numbers.execution_key =
			duckdb_keys_number(writer->keys, wanted[row->batch->n_executions + index]);
		row->numbers.sample_key = duckdb_keys_sample(writer->keys);
	}
}

/* Adds the rows that a batch brings for a table. */
static int add_rows(struct duckdb_writer *writer, const struct table *table,
		    struct duckdb_batch *batch, size_t first)
{
	size_t count;
	ProtobufCMessage *const *records = table_messages(table, batch->batch, &count);
	CLEANUP(freep) bool *wanted = calloc(count + 1, sizeof(*wanted));
	const ProtobufCMessageDescriptor *of = table_descriptor(table);

	if (!wanted || table_last_of_each(table, batch->batch, wanted))
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct duckdb_row row = { .batch = batch->batch,
					  .record = records[i],
					  .numbers.batch_key = batch->key };

		if (!wanted[i])
			continue;
		number(writer, of, &row, i, first);
		buffer_append(&writer->rows, &row, sizeof(row));
		batch->records++;
	}
	return writer->rows.failed ? -ENOMEM : 0;
}

static void add_up(struct duckdb_writer *writer, const struct duckdb_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i + AHEAD < count)
			__builtin_prefetch(rows[i + AHEAD].record);
		duckdb_sums_add(writer->sums, rows[i].numbers.execution_key,
				(const Signal__Sample *)rows[i].record);
	}
}

/* Merges are planned for each batch, never prepared: DuckDB 1.5.6 plans with the smallest and
 * largest values of the tables at that time, keeps the plan when they change, and then finds no
 * rows. */
static int write_table(struct duckdb_writer *writer, size_t index, struct duckdb_batch *batches,
		       size_t count, const struct merged_runs *merged, struct error *err)
{
	const char *merge = duckdb_sql_merge(TABLES[index].name);
	const struct duckdb_row *rows;
	size_t rows_count, first = 0;
	int rc = 0;

	buffer_reset(&writer->rows);
	for (size_t i = 0; i < count && !rc; i++) {
		rc = add_rows(writer, &TABLES[index], &batches[i], first);
		first += wanted_count(batches[i].batch);
	}
	if (rc)
		return error_set(err, rc, "no memory for a batch");
	rows = (const struct duckdb_row *)(const void *)writer->rows.data;
	rows_count = writer->rows.len / sizeof(*rows);
	rc = duckdb_plan_append(writer->plans[index], writer->connection, merged, rows, rows_count,
				err);
	if (table_descriptor(&TABLES[index]) == &signal__sample__descriptor)
		add_up(writer, rows, rows_count);
	if (!rc && strcmp(TABLES[index].name, "host_samples") == 0)
		rc = duckdb_plan_append(writer->host_samples_new, writer->connection, merged, rows,
					rows_count, err);
	if (!rc && merge && rows_count)
		rc = duckdb_run(writer->connection, merge, TABLES[index].name, err);
	return rc;
}

static int write_all(struct duckdb_writer *writer, struct duckdb_batch *batches, size_t count,
		     const struct merged_runs *merged, struct error *err)
{
	int rc = 0;

	buffer_reset(&writer->wanted);
	for (size_t i = 0; i < count && !rc; i++) {
		batches[i].key = duckdb_keys_batch(writer->keys);
		rc = want_keys(writer, batches[i].batch, err);
	}
	if (!rc)
		rc = duckdb_keys_settle(writer->keys, writer->connection, err);
	for (size_t i = 0; i < TABLES_COUNT && !rc; i++)
		rc = write_table(writer, i, batches, count, merged, err);
	writer->batches += count;
	return rc ? rc
		  : duckdb_ledger_add(&writer->ledger, writer->connection, batches, count, err);
}

int duckdb_writer_write(struct duckdb_writer *writer, const Signal__Batch *const *batches,
			size_t count, const struct merged_runs *merged, struct error *err)
{
	CLEANUP(freep) struct duckdb_batch *numbered = calloc(count + 1, sizeof(*numbered));

	if (!numbered)
		return error_set(err, -ENOMEM, "no memory for a batch");
	for (size_t i = 0; i < count; i++)
		numbered[i].batch = batches[i];
	return write_all(writer, numbered, count, merged, err);
}

int duckdb_writer_begin(struct duckdb_writer *writer, struct error *err)
{
	writer->batches = 0;
	return duckdb_run(writer->connection, "BEGIN", "the store cannot begin", err);
}

int duckdb_writer_read(struct duckdb_writer *writer, const char *name,
		       const struct store_param *params, size_t count, struct store_rows **ret,
		       struct error *err)
{
	return duckdb_query_rows(writer->connection, duckdb_sql_query(name), params, count, ret,
				 err);
}

int duckdb_writer_join(struct duckdb_writer *writer, const struct run_join *joins, size_t count,
		       struct error *err)
{
	return duckdb_join(writer->connection, joins, count, err);
}

int duckdb_writer_mark_lost(struct duckdb_writer *writer, struct error *err)
{
	return duckdb_run(writer->connection, duckdb_sql_ingest_close_lost, "close_lost.sql", err);
}

int duckdb_writer_commit(struct duckdb_writer *writer, size_t *ret_batches, struct error *err)
{
	bool roll_up = duckdb_sums_are_many(writer->sums);
	int rc = duckdb_ledger_fold(&writer->ledger, writer->connection, err);

	*ret_batches = writer->batches;
	if (!rc && roll_up)
		rc = duckdb_roll_up_sums(writer->connection, writer->sums,
					 duckdb_keys_last_sample(writer->keys), err);
	if (!rc)
		rc = duckdb_run(writer->connection, "COMMIT", "the store cannot commit", err);
	if (!rc && roll_up)
		duckdb_sums_begin(writer->sums);
	if (!rc)
		duckdb_keys_commit(writer->keys, writer->connection);
	return rc;
}

void duckdb_writer_rollback(struct duckdb_writer *writer)
{
	duckdb_run(writer->connection, "ROLLBACK", "rollback", NULL);
	duckdb_keys_rollback(writer->keys);
	duckdb_sums_doubt(writer->sums);
}

void duckdb_writer_samples_removed(struct duckdb_writer *writer)
{
	duckdb_sums_doubt(writer->sums);
}

duckdb_connection duckdb_writer_connection(const struct duckdb_writer *writer)
{
	return writer->connection;
}

static int link_reports(struct duckdb_writer *writer, bool *ret_changed, struct error *err)
{
	int rc = duckdb_run(writer->connection, duckdb_sql_ingest_links_before, "links_before.sql",
			    err);

	if (!rc)
		rc = duckdb_run(writer->connection, duckdb_sql_ingest_link_engine_reports,
				"link_engine_reports.sql", err);
	return rc ? rc : duckdb_settled_relink(writer->connection, ret_changed, err);
}

int duckdb_writer_link(struct duckdb_writer *writer, bool *ret_changed, struct error *err)
{
	int rc = duckdb_run(writer->connection, "BEGIN", "the store cannot begin", err);

	if (rc)
		return rc;
	rc = link_reports(writer, ret_changed, err);
	if (!rc)
		rc = duckdb_run(writer->connection, "COMMIT", "the store cannot commit", err);
	if (rc)
		duckdb_run(writer->connection, "ROLLBACK", "rollback", NULL);
	return rc;
}

int duckdb_writer_roll_up(struct duckdb_writer *writer, bool *ret_more, struct error *err)
{
	return duckdb_roll_up(writer->connection, writer->sums,
			      duckdb_keys_last_sample(writer->keys), ret_more, err);
}
