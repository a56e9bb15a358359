/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_plan.h"

#include "base/cleanup.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/join/merged_runs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 128 /* of a table */

#define OWNERS (COLUMN_OF_NUMBERS + 1)

struct plan_column {
	struct column source;
	column_write *write; /* NULL: COLUMN_OF_NUMBERS */
	duckdb_logical_type type;
};

struct duckdb_plan {
	const struct table *table;
	const char *name;        /* of the table in the database, where it is not staged */
	duckdb_data_chunk chunk; /* reused */
	/* The rows of the chunk, by what their columns are read from: each of duckdb_vector_size()
	 * pointers. */
	const void **owners[OWNERS];
	idx_t rows;
	size_t columns_count;
	size_t run; /* the column run_id, where table_has_run; else columns_count */
	const ProtobufCFieldDescriptor *figures; /* of the record; NULL: it has none */
	const struct merged_runs *merged;        /* while rows are appended */
	struct plan_column columns[];
};

void duckdb_plan_free(struct duckdb_plan *plan)
{
	if (!plan)
		return;
	duckdb_destroy_data_chunk(&plan->chunk);
	for (size_t i = 0; i < OWNERS; i++)
		free(plan->owners[i]);
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
	if (column->source.owner == COLUMN_OF_NUMBERS)
		return duckdb_get_type_id(column->type) == DUCKDB_TYPE_BIGINT
			       ? 0
			       : error_set(err, -EINVAL, "the store's column %s.%s is no BIGINT",
					   table->name, name);
	column->write =
		duckdb_column_writer(column->source.field, duckdb_get_type_id(column->type));
	if (!column->write)
		return error_set(err, -EINVAL, "the store's column %s.%s has another type",
				 table->name, name);
	return 0;
}

/* Each column is a field or a number, and each field at most once: with as many columns as fields
 * none is missing. (That the parts of a message have all its fields is a test.) */
static int check_complete(const struct duckdb_plan *plan, struct error *err)
{
	static const size_t header = 5; /* host_id boot_id agent_id sequence created_at */
	const ProtobufCMessageDescriptor *message = table_descriptor(plan->table);
	size_t expected = header + message->n_fields;

	for (size_t i = 0; i < plan->columns_count; i++)
		expected += plan->columns[i].source.owner == COLUMN_OF_NUMBERS;
	if (plan->table->part)
		return 0;
	if (plan->figures)
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
	for (size_t i = 0; i < OWNERS; i++) {
		plan->owners[i] = calloc(duckdb_vector_size(), sizeof(void *));
		if (!plan->owners[i])
			return error_set(err, -ENOMEM, "no memory to open the store");
	}
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
	plan->figures =
		protobuf_c_message_descriptor_get_field_by_name(table_descriptor(table), "figures");
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

/* In the column run_id: of records of a part the id of the run that it belongs to. */
static void correct_runs(const struct duckdb_plan *plan)
{
	const ProtobufCFieldDescriptor *field = plan->columns[plan->run].source.field;
	duckdb_vector vector = duckdb_data_chunk_get_vector(plan->chunk, plan->run);

	for (idx_t row = 0; row < plan->rows; row++) {
		const char *record = plan->owners[COLUMN_OF_RECORD][row];
		const char *own = *(const char *const *)(const void *)(record + field->offset);
		const char *run = merged_runs_find(plan->merged, own);

		if (run != own)
			duckdb_vector_assign_string_element(vector, row, run);
	}
}

static void write_numbers(const struct duckdb_plan *plan, size_t index)
{
	int64_t *cells = duckdb_vector_get_data(duckdb_data_chunk_get_vector(plan->chunk, index));
	size_t offset = plan->columns[index].source.offset;

	for (idx_t row = 0; row < plan->rows; row++) {
		const char *numbers = plan->owners[COLUMN_OF_NUMBERS][row];

		cells[row] = *(const int64_t *)(const void *)(numbers + offset);
	}
}

static void write_chunk(const struct duckdb_plan *plan)
{
	for (size_t i = 0; i < plan->columns_count; i++) {
		const struct plan_column *column = &plan->columns[i];

		if (!column->write)
			write_numbers(plan, i);
		else
			column->write(duckdb_data_chunk_get_vector(plan->chunk, i),
				      column->source.field, plan->owners[column->source.owner],
				      plan->rows);
	}
	if (plan->run < plan->columns_count)
		correct_runs(plan);
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
static int flush_chunk(struct duckdb_plan *plan, duckdb_appender appender, struct error *err)
{
	int rc = 0;

	if (plan->rows) {
		write_chunk(plan);
		duckdb_data_chunk_set_size(plan->chunk, plan->rows);
		if (duckdb_append_data_chunk(appender, plan->chunk) == DuckDBError)
			rc = appender_error(appender, plan->table, err);
	}
	duckdb_data_chunk_reset(plan->chunk);
	plan->rows = 0;
	return rc;
}

static const void *figures_of(const struct duckdb_plan *plan, const ProtobufCMessage *record)
{
	static const Signal__Figures no_figures = SIGNAL__FIGURES__INIT;
	const void *field = plan->figures ? (const char *)record + plan->figures->offset : NULL;
	const void *figures = field ? *(const void *const *)field : NULL;

	return figures ? figures : &no_figures;
}

static void add_row(struct duckdb_plan *plan, const struct duckdb_row *row)
{
	const void *figures = figures_of(plan, row->record);

	plan->owners[COLUMN_OF_BATCH][plan->rows] = row->batch;
	plan->owners[COLUMN_OF_RECORD][plan->rows] = row->record;
	plan->owners[COLUMN_OF_FIGURES][plan->rows] = figures;
	plan->owners[COLUMN_OF_NUMBERS][plan->rows++] = &row->numbers;
}

static int append_rows(struct duckdb_plan *plan, duckdb_appender appender,
		       const struct duckdb_row *rows, size_t count, struct error *err)
{
	int rc = 0;

	duckdb_data_chunk_reset(plan->chunk);
	plan->rows = 0;
	for (size_t i = 0; i < count && !rc; i++) {
		add_row(plan, &rows[i]);
		if (plan->rows == duckdb_vector_size())
			rc = flush_chunk(plan, appender, err);
	}
	if (!rc)
		rc = flush_chunk(plan, appender, err);
	if (!rc && duckdb_appender_close(appender) == DuckDBError)
		rc = appender_error(appender, plan->table, err);
	return rc;
}

int duckdb_plan_append(struct duckdb_plan *plan, duckdb_connection connection,
		       const struct merged_runs *merged, const struct duckdb_row *rows,
		       size_t count, struct error *err)
{
	bool keyed = plan->table->keys[0];
	duckdb_appender appender;
	char name[64];
	int rc;

	if (!count)
		return 0;
	plan->merged = merged;
	snprintf(name, sizeof(name), "%s%s", keyed ? "staged_" : "", plan->name);
	if (duckdb_appender_create_ext(connection, keyed ? "temp" : NULL, NULL, name, &appender) ==
	    DuckDBError)
		rc = appender_error(appender, plan->table, err);
	else
		rc = append_rows(plan, appender, rows, count, err);
	duckdb_appender_destroy(&appender);
	return rc;
}
