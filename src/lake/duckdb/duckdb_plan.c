/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_plan.h"

#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/merged_runs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 128 /* of a table */

struct plan_column {
	struct column source;
	column_write *write;
	duckdb_logical_type type;
};

struct duckdb_plan {
	const struct table *table;
	const char *name;        /* of the table in the database, where it is not staged */
	duckdb_data_chunk chunk; /* reused */
	size_t columns_count;
	size_t run; /* the column run_id, where table_has_run; else columns_count */
	const struct merged_runs *merged; /* while a batch is appended */
	struct plan_column columns[];
};

void duckdb_plan_free(struct duckdb_plan *plan)
{
	if (!plan)
		return;
	duckdb_destroy_data_chunk(&plan->chunk);
	for (size_t i = 0; i < plan->columns_count; i++)
		duckdb_destroy_logical_type(&plan->columns[i].type);
	free(plan);
}

DEFINE_CLEANUP(struct duckdb_plan *, duckdb_plan_free)

static int plan_column(struct plan_column *column, const struct table *table, const char *name,
		       struct error *err)
{
	if (table_column(table, name, &column->source))
		return error_set(err, -EINVAL,
				 "the store's column %s.%s is of no message this program knows; "
				 "it was made by another version",
				 table->name, name);
	column->write =
		duckdb_column_writer(column->source.field, duckdb_get_type_id(column->type));
	if (!column->write)
		return error_set(err, -EINVAL, "the store's column %s.%s has another type",
				 table->name, name);
	return 0;
}

/* Each column is a field, and each field at most once: with as many columns as fields none is
 * missing. */
static int check_complete(const struct duckdb_plan *plan, struct error *err)
{
	static const size_t header = 5; /* host_id boot_id agent_id sequence created_at */
	const ProtobufCMessageDescriptor *message = table_descriptor(plan->table);
	size_t expected = header + message->n_fields;

	if (protobuf_c_message_descriptor_get_field_by_name(message, "figures"))
		expected += signal__figures__descriptor.n_fields - 1;
	if (expected != plan->columns_count)
		return error_set(err, -EINVAL,
				 "the store's table %s has %zu columns, this program fills %zu; "
				 "it was made by another version",
				 plan->table->name, plan->columns_count, expected);
	return 0;
}

static int make_chunk(struct duckdb_plan *plan, struct error *err)
{
	duckdb_logical_type types[COLUMNS_MAX];

	for (size_t i = 0; i < plan->columns_count; i++)
		types[i] = plan->columns[i].type;
	plan->chunk = duckdb_create_data_chunk(types, plan->columns_count);
	return plan->chunk ? 0 : error_set(err, -ENOMEM, "no memory to open the store");
}

static int plan_from(struct duckdb_plan **ret, const struct table *table, duckdb_result *result,
		     struct error *err)
{
	size_t columns = duckdb_column_count(result);
	CLEANUP(duckdb_plan_freep) struct duckdb_plan *plan = NULL;
	int rc = 0;

	if (columns > COLUMNS_MAX)
		return error_set(err, -EINVAL, "the store's table %s has %zu columns, at most %d",
				 table->name, columns, COLUMNS_MAX);
	plan = calloc(1, sizeof(*plan) + columns * sizeof(plan->columns[0]));
	if (!plan)
		return error_set(err, -ENOMEM, "no memory to open the store");
	plan->table = table;
	plan->columns_count = plan->run = columns;
	for (size_t i = 0; i < columns; i++)
		plan->columns[i].type = duckdb_column_logical_type(result, i);
	for (size_t i = 0; i < columns && !rc; i++)
		rc = plan_column(&plan->columns[i], table, duckdb_column_name(result, i), err);
	for (size_t i = 0; i < columns; i++)
		if (strcmp(duckdb_column_name(result, i), "run_id") == 0 && table_has_run(table))
			plan->run = i;
	if (!rc)
		rc = check_complete(plan, err);
	if (!rc)
		rc = make_chunk(plan, err);
	if (!rc)
		*ret = TAKE_PTR(plan);
	return rc;
}

int duckdb_plan_make(struct duckdb_plan **ret, duckdb_connection connection,
		     const struct table *table, struct error *err)
{
	return duckdb_plan_make_for(ret, connection, table, table->name, err);
}

int duckdb_plan_make_for(struct duckdb_plan **ret, duckdb_connection connection,
			 const struct table *table, const char *name, struct error *err)
{
	duckdb_result result;
	char sql[64];
	int rc;

	snprintf(sql, sizeof(sql), "FROM %s LIMIT 0", name);
	if (duckdb_query(connection, sql, &result) == DuckDBError)
		rc = error_set(err, -EIO, "the store's table %s: %s", name,
			       duckdb_result_error(&result));
	else
		rc = plan_from(ret, table, &result, err);
	if (!rc)
		(*ret)->name = name;
	duckdb_destroy_result(&result);
	return rc;
}

/* Writes the run id of a record of a part; false: it is of no part. */
static bool write_run(const struct duckdb_plan *plan, idx_t row, const ProtobufCMessage *record)
{
	const struct column *column = &plan->columns[plan->run].source;
	const char *own = *(const char *const *)((const char *)record + column->field->offset);
	const char *run = merged_runs_find(plan->merged, own);

	if (run != own)
		duckdb_vector_assign_string_element(
			duckdb_data_chunk_get_vector(plan->chunk, plan->run), row, run);
	return run != own;
}

static void write_record(struct duckdb_plan *plan, idx_t row, const Signal__Batch *batch,
			 const ProtobufCMessage *record)
{
	for (size_t i = 0; i < plan->columns_count; i++) {
		const struct plan_column *column = &plan->columns[i];

		if (i == plan->run && write_run(plan, row, record))
			continue;
		column->write(duckdb_data_chunk_get_vector(plan->chunk, i), row,
			      column->source.field, column_owner(&column->source, batch, record));
	}
}

static int appender_error(duckdb_appender appender, const struct table *table, struct error *err)
{
	duckdb_error_data data = duckdb_appender_error_data(appender);
	int rc = error_set(err, duckdb_errno(duckdb_error_data_error_type(data)),
			   "cannot write into the store's table %s: %s", table->name,
			   duckdb_error_data_message(data));

	duckdb_destroy_error_data(&data);
	return rc;
}

/* Appends the rows of the chunk and empties it. */
static int flush_chunk(struct duckdb_plan *plan, duckdb_appender appender, idx_t rows,
		       struct error *err)
{
	duckdb_data_chunk_set_size(plan->chunk, rows);
	if (rows && duckdb_append_data_chunk(appender, plan->chunk) == DuckDBError)
		return appender_error(appender, plan->table, err);
	duckdb_data_chunk_reset(plan->chunk);
	return 0;
}

static int append_records(struct duckdb_plan *plan, duckdb_appender appender,
			  const Signal__Batch *batch, const bool *wanted, struct error *err)
{
	size_t count;
	ProtobufCMessage *const *records = table_messages(plan->table, batch, &count);
	idx_t rows = 0;
	int rc = 0;

	duckdb_data_chunk_reset(plan->chunk);
	for (size_t i = 0; i < count && !rc; i++) {
		if (!wanted[i])
			continue;
		write_record(plan, rows++, batch, records[i]);
		if (rows == duckdb_vector_size()) {
			rc = flush_chunk(plan, appender, rows, err);
			rows = 0;
		}
	}
	if (!rc)
		rc = flush_chunk(plan, appender, rows, err);
	if (!rc && duckdb_appender_close(appender) == DuckDBError)
		rc = appender_error(appender, plan->table, err);
	return rc;
}

static int append_wanted(struct duckdb_plan *plan, duckdb_connection connection,
			 const Signal__Batch *batch, const bool *wanted, struct error *err)
{
	bool keyed = plan->table->keys[0];
	duckdb_appender appender;
	char name[64];
	int rc;

	snprintf(name, sizeof(name), "%s%s", keyed ? "staged_" : "", plan->name);
	if (duckdb_appender_create_ext(connection, keyed ? "temp" : NULL, NULL, name, &appender) ==
	    DuckDBError)
		rc = appender_error(appender, plan->table, err);
	else
		rc = append_records(plan, appender, batch, wanted, err);
	duckdb_appender_destroy(&appender);
	return rc;
}

int duckdb_plan_append(struct duckdb_plan *plan, duckdb_connection connection,
		       const struct merged_runs *merged, const Signal__Batch *batch, size_t *rows,
		       struct error *err)
{
	CLEANUP(freep) bool *wanted = NULL;
	size_t count;

	table_messages(plan->table, batch, &count);
	if (!count)
		return 0;
	plan->merged = merged;
	wanted = calloc(count, sizeof(*wanted));
	if (!wanted || table_last_of_each(plan->table, batch, wanted))
		return error_set(err, -ENOMEM, "no memory for a batch");
	for (size_t i = 0; i < count; i++)
		*rows += wanted[i];
	return append_wanted(plan, connection, batch, wanted, err);
}
