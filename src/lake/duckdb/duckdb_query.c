/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_engine.h"

#include "base/cleanup.h"
#include "lake/duckdb/duckdb_values.h"
#include "lake/store/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A named query's answer, from DuckDB's vectors into struct store_rows. */

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

const struct store_param *duckdb_find_param(const struct store_param *params, size_t count,
					    const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(params[i].name, name))
			return &params[i];
	return NULL;
}

static duckdb_state bind_value(duckdb_prepared_statement statement, idx_t index,
			       const struct store_param *param)
{
	duckdb_timestamp time = { .micros = param->i64 / 1000 };

	switch (param->type) {
	case STORE_TEXT:
	case STORE_JSON:
		if (!param->text)
			return duckdb_bind_null(statement, index);
		return duckdb_bind_varchar(statement, index, param->text);
	case STORE_I64:
		return duckdb_bind_int64(statement, index, param->i64);
	case STORE_DOUBLE:
		return duckdb_bind_double(statement, index, param->number);
	case STORE_BOOL:
		return duckdb_bind_boolean(statement, index, param->flag);
	case STORE_TIME:
		return duckdb_bind_timestamp(statement, index, time);
	case STORE_NULL:
		break;
	}
	return duckdb_bind_null(statement, index);
}

static int bind_params(duckdb_prepared_statement statement, const struct store_param *params,
		       size_t count, struct error *err)
{
	idx_t wanted = duckdb_nparams(statement), index;

	for (size_t i = 0; i < count; i++)
		if (duckdb_bind_parameter_index(statement, &index, params[i].name) == DuckDBError)
			return error_set(err, -EINVAL, "the query has no parameter $%s",
					 params[i].name);
	for (idx_t i = 1; i <= wanted; i++) {
		const char *name = duckdb_parameter_name(statement, i);
		const struct store_param *param = duckdb_find_param(params, count, name);
		int rc = 0;

		if (!param)
			rc = error_set(err, -EINVAL, "the query's parameter $%s is missing", name);
		else if (bind_value(statement, i, param) == DuckDBError)
			rc = error_set(err, -EINVAL, "the query's parameter $%s is of another type",
				       name);
		duckdb_free((void *)(uintptr_t)name);
		if (rc)
			return rc;
	}
	return 0;
}

static bool is_json(duckdb_result *result, idx_t column)
{
	duckdb_logical_type type = duckdb_column_logical_type(result, column);
	char *alias = duckdb_logical_type_get_alias(type);
	bool json = alias && !strcmp(alias, "JSON");

	duckdb_free(alias);
	duckdb_destroy_logical_type(&type);
	return json;
}

/* What the store calls a column's type; queries give no others than these. */
static int column_type(duckdb_result *result, idx_t column, enum store_type *ret, struct error *err)
{
	switch (duckdb_column_type(result, column)) {
	case DUCKDB_TYPE_BOOLEAN:
		*ret = STORE_BOOL;
		return 0;
	case DUCKDB_TYPE_INTEGER:
	case DUCKDB_TYPE_BIGINT:
	case DUCKDB_TYPE_HUGEINT:
		*ret = STORE_I64;
		return 0;
	case DUCKDB_TYPE_DOUBLE:
		*ret = STORE_DOUBLE;
		return 0;
	case DUCKDB_TYPE_TIMESTAMP:
		*ret = STORE_TIME;
		return 0;
	case DUCKDB_TYPE_VARCHAR:
		*ret = is_json(result, column) ? STORE_JSON : STORE_TEXT;
		return 0;
	default:
		return error_set(err, -EIO, "column '%s' of the query has a type the store lacks",
				 duckdb_column_name(result, column));
	}
}

static int64_t cut_hugeint(duckdb_hugeint value)
{
	if (value.upper > 0 || (value.upper == 0 && value.lower > INT64_MAX))
		return INT64_MAX;
	if (value.upper < -1 || (value.upper == -1 && value.lower < (uint64_t)INT64_MIN))
		return INT64_MIN;
	return (int64_t)value.lower;
}

static int64_t nanoseconds(duckdb_timestamp time)
{
	int64_t ns;

	if (__builtin_mul_overflow(time.micros, INT64_C(1000), &ns))
		return time.micros > 0 ? INT64_MAX : INT64_MIN;
	return ns;
}

static void put_value(struct store_rows *rows, duckdb_type type, void *data, idx_t row)
{
	duckdb_string_t *text;

	switch (type) {
	case DUCKDB_TYPE_BOOLEAN:
		rows_put_bool(rows, ((bool *)data)[row]);
		break;
	case DUCKDB_TYPE_INTEGER:
		rows_put_i64(rows, ((int32_t *)data)[row]);
		break;
	case DUCKDB_TYPE_BIGINT:
		rows_put_i64(rows, ((int64_t *)data)[row]);
		break;
	case DUCKDB_TYPE_HUGEINT:
		rows_put_i64(rows, cut_hugeint(((duckdb_hugeint *)data)[row]));
		break;
	case DUCKDB_TYPE_DOUBLE:
		rows_put_double(rows, ((double *)data)[row]);
		break;
	case DUCKDB_TYPE_TIMESTAMP:
		rows_put_i64(rows, nanoseconds(((duckdb_timestamp *)data)[row]));
		break;
	default: /* VARCHAR; column_type lets nothing else through */
		text = &((duckdb_string_t *)data)[row];
		rows_put_text(rows, duckdb_string_t_data(text), duckdb_string_t_length(*text));
		break;
	}
}

/* A column of a chunk. */
struct vector {
	duckdb_type type;
	void *data;
	uint64_t *validity; /* NULL: no row is NULL */
};

/* vectors: one for each column. */
static void put_chunk(struct store_rows *rows, duckdb_result *result, duckdb_data_chunk chunk,
		      struct vector *vectors)
{
	idx_t count = duckdb_data_chunk_get_size(chunk), columns = store_columns(rows);

	for (idx_t column = 0; column < columns; column++) {
		duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);

		vectors[column] = (struct vector){ .type = duckdb_column_type(result, column),
						   .data = duckdb_vector_get_data(vector),
						   .validity = duckdb_vector_get_validity(vector) };
	}
	for (idx_t row = 0; row < count; row++) {
		for (idx_t column = 0; column < columns; column++) {
			const struct vector *vector = &vectors[column];

			if (vector->validity &&
			    !duckdb_validity_row_is_valid(vector->validity, row))
				rows_put_null(rows);
			else
				put_value(rows, vector->type, vector->data, row);
		}
	}
}

static int take_rows(duckdb_result *result, struct store_rows **ret, struct error *err)
{
	idx_t columns = duckdb_column_count(result);
	CLEANUP(store_rows_freep) struct store_rows *rows = rows_new(columns);
	CLEANUP(freep) struct vector *vectors = calloc(columns + 1, sizeof(*vectors));
	duckdb_data_chunk chunk;
	int rc = rows && vectors ? 0 : -ENOMEM;

	for (idx_t i = 0; i < columns && !rc; i++) {
		enum store_type type = STORE_NULL;

		rc = column_type(result, i, &type, err);
		if (!rc)
			rc = rows_set_column(rows, i, duckdb_column_name(result, i), type);
	}
	if (rc)
		return rc == -ENOMEM ? error_set(err, rc, "no memory for an answer") : rc;
	while ((chunk = duckdb_fetch_chunk(*result))) {
		put_chunk(rows, result, chunk, vectors);
		duckdb_destroy_data_chunk(&chunk);
	}
	rc = rows_finish(rows, err);
	if (!rc)
		*ret = TAKE_PTR(rows);
	return rc;
}

/* state: of what gave the result, which is destroyed. */
static int take_result(duckdb_state state, duckdb_result *result, struct store_rows **ret,
		       struct error *err)
{
	int rc;

	if (state == DuckDBError) {
		rc = duckdb_errno(duckdb_result_error_type(result));
		rc = error_set(err, rc == -EPROTO ? -EIO : rc, "the query failed: %s",
			       duckdb_result_error(result));
	} else {
		rc = take_rows(result, ret, err);
	}
	duckdb_destroy_result(result);
	return rc;
}

static int query_prepared(duckdb_connection connection, const char *sql,
			  const struct store_param *params, size_t count, struct store_rows **ret,
			  struct error *err)
{
	duckdb_prepared_statement statement;
	duckdb_result result;
	int rc = duckdb_prepare_sql(connection, sql, &statement, err);

	if (rc)
		return rc;
	rc = bind_params(statement, params, count, err);
	if (!rc)
		rc = take_result(duckdb_execute_prepared(statement, &result), &result, ret, err);
	duckdb_destroy_prepare(&statement);
	return rc;
}

int duckdb_query_rows(duckdb_connection connection, const char *sql,
		      const struct store_param *params, size_t count, struct store_rows **ret,
		      struct error *err)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	duckdb_result result;

	if (!duckdb_put_values(&text, sql, params, count))
		return query_prepared(connection, sql, params, count, ret, err);
	return take_result(duckdb_query(connection, text.data, &result), &result, ret, err);
}

#define PARAMS_MAX 16 /* of a query */

int duckdb_query_named(duckdb_connection connection, const char *sql,
		       const struct store_param *params, size_t count, struct store_rows **ret,
		       struct error *err)
{
	struct store_param named[PARAMS_MAX] = { 0 };
	size_t found = 0;

	for (size_t i = 0; i < count && found < PARAMS_MAX; i++) {
		char word[32];

		snprintf(word, sizeof(word), "$%s", params[i].name);
		if (strstr(sql, word))
			named[found++] = params[i];
	}
	return duckdb_query_rows(connection, sql, named, found, ret, err);
}
