/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_parts.h"

#include "base/cleanup.h"
#include "base/map.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/duckdb_sql.h"
#include "lake/store/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 1000000 /* known at once, the latest: of others nothing new comes */
#define JOINS_MAX 1000    /* by one batch: the rest comes with links that are told again */

struct duckdb_parts {
	struct map
		*runs; /* of parts' ids (map_text_key), cells (char **) of their runs' ids; owned */
};

struct join {
	char *part_id, *run_id, *reason, *value;
};

static void cell_free(char **cell)
{
	if (cell)
		free(*cell);
	free(cell);
}

static bool free_one(const void *key, void *value, void *context)
{
	cell_free(value);
	return true;
}

static void clear(struct duckdb_parts *parts)
{
	if (parts->runs)
		map_visit(parts->runs, free_one, NULL);
	map_free(parts->runs);
	parts->runs = NULL;
}

void duckdb_parts_free(struct duckdb_parts *parts)
{
	if (!parts)
		return;
	clear(parts);
	free(parts);
}

static int put(struct duckdb_parts *parts, const char *part_id, const char *run_id)
{
	struct map_text_key key = map_text_key(part_id, strlen(part_id));
	char **cell = calloc(1, sizeof(*cell));
	int rc = -ENOMEM;

	if (cell)
		*cell = strdup(run_id);
	if (cell && *cell) {
		cell_free(map_remove(parts->runs, &key));
		rc = map_put(parts->runs, &key, cell);
	}
	if (rc)
		cell_free(cell);
	return rc == -ENOSPC ? 0 : rc; /* what there is no room for is old, or will be */
}

int duckdb_parts_read(struct duckdb_parts *parts, duckdb_connection connection, struct error *err)
{
	duckdb_result result;
	int rc = 0;

	clear(parts);
	parts->runs = map_new(sizeof(struct map_text_key), PARTS_MAX);
	if (!parts->runs)
		return error_set(err, -ENOMEM, "no memory for the parts of runs");
	if (duckdb_query(connection,
			 "SELECT part_id, run_id FROM parts ORDER BY joined_at DESC LIMIT 1000000",
			 &result) == DuckDBError)
		rc = error_set(err, -EIO, "the parts of runs: %s", duckdb_result_error(&result));
	for (idx_t row = 0; !rc && row < duckdb_row_count(&result); row++) {
		char *part_id = duckdb_value_varchar(&result, 0, row);
		char *run_id = duckdb_value_varchar(&result, 1, row);

		if (put(parts, part_id, run_id))
			rc = error_set(err, -ENOMEM, "no memory for the parts of runs");
		duckdb_free(part_id);
		duckdb_free(run_id);
	}
	duckdb_destroy_result(&result);
	return rc;
}

int duckdb_parts_open(struct duckdb_parts **ret, duckdb_connection connection, struct error *err)
{
	struct duckdb_parts *parts = calloc(1, sizeof(*parts));
	int rc;

	if (!parts)
		return error_set(err, -ENOMEM, "no memory for the parts of runs");
	rc = duckdb_parts_read(parts, connection, err);
	if (rc)
		duckdb_parts_free(parts);
	else
		*ret = parts;
	return rc;
}

const char *duckdb_parts_run(const struct duckdb_parts *parts, const char *run_id)
{
	struct map_text_key key;
	char **found;

	if (!map_count(parts->runs))
		return run_id;
	key = map_text_key(run_id, strlen(run_id));
	found = map_get(parts->runs, &key);
	return found ? *found : run_id;
}

static void join_clear(struct join *join)
{
	duckdb_free(join->part_id);
	duckdb_free(join->run_id);
	duckdb_free(join->reason);
	duckdb_free(join->value);
}

/* *ret_found: there was one; *ret is to be cleared then. */
static int find_next(duckdb_connection connection, struct join *ret, bool *ret_found,
		     struct error *err)
{
	duckdb_result result;
	int rc = 0;

	*ret_found = false;
	if (duckdb_query(connection, duckdb_sql_ingest_join_next, &result) == DuckDBError) {
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)),
			       "join_next.sql: %s", duckdb_result_error(&result));
	} else if (duckdb_row_count(&result) > 0) {
		*ret = (struct join){ duckdb_value_varchar(&result, 0, 0),
				      duckdb_value_varchar(&result, 1, 0),
				      duckdb_value_varchar(&result, 2, 0),
				      duckdb_value_varchar(&result, 3, 0) };
		*ret_found = true;
	}
	duckdb_destroy_result(&result);
	return rc;
}

static void bind(duckdb_prepared_statement statement, const char *name, const char *value)
{
	idx_t index;

	if (duckdb_bind_parameter_index(statement, &index, name) == DuckDBSuccess)
		duckdb_bind_varchar(statement, index, value);
}

/* Planned anew each time: see duckdb_writer.c. */
static int execute(duckdb_connection connection, const char *sql, const struct join *join,
		   struct error *err)
{
	duckdb_prepared_statement statement = NULL;
	duckdb_result result;
	int rc = duckdb_prepare_sql(connection, sql, &statement, err);

	if (rc)
		return rc;
	bind(statement, "part_id", join->part_id);
	bind(statement, "run_id", join->run_id);
	bind(statement, "reason", join->reason);
	bind(statement, "value", join->value);
	if (duckdb_execute_prepared(statement, &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)),
			       "joining runs: %s", duckdb_result_error(&result));
	duckdb_destroy_result(&result);
	duckdb_destroy_prepare(&statement);
	return rc;
}

static int move(duckdb_connection connection, const char *table, const struct join *join,
		struct error *err)
{
	char sql[256];

	/* The bound, a day for clocks that differ, says what of the table need not be read. */
	(void)snprintf(
		sql, sizeof(sql),
		"UPDATE %s SET run_id = $run_id WHERE run_id = $part_id AND created_at >= "
		"(SELECT min(started_at) FROM runs WHERE run_id = $part_id) - INTERVAL 1 DAY",
		table);
	return execute(connection, sql, join, err);
}

bool duckdb_parts_moves(const struct table *table)
{
	return strcmp(table->name, "runs") != 0 && strcmp(table->name, "links") != 0 &&
	       protobuf_c_message_descriptor_get_field_by_name(table_descriptor(table), "run_id");
}

static int enter(duckdb_connection connection, const struct join *join, struct error *err)
{
	int rc = execute(connection, "UPDATE parts SET run_id = $run_id WHERE run_id = $part_id",
			 join, err);

	for (size_t i = 0; i < TABLES_COUNT && !rc; i++)
		if (duckdb_parts_moves(&TABLES[i]))
			rc = move(connection, TABLES[i].name, join, err);
	return rc ? rc : execute(connection, duckdb_sql_ingest_join_enter, join, err);
}

struct moved {
	const struct join *join;
	bool failed;
};

static bool move_known(const void *key, void *value, void *context)
{
	struct moved *moved = context;
	char **run_id = value;

	if (strcmp(*run_id, moved->join->part_id) == 0) {
		char *copy = strdup(moved->join->run_id);

		if (!copy) {
			moved->failed = true;
			return false;
		}
		free(*run_id);
		*run_id = copy;
	}
	return true;
}

/* As join_enter.sql has it. */
static int know(struct duckdb_parts *parts, const struct join *join, struct error *err)
{
	struct moved moved = { .join = join };
	int rc;

	map_visit(parts->runs, move_known, &moved);
	rc = moved.failed ? -ENOMEM : put(parts, join->part_id, join->run_id);
	return rc ? error_set(err, rc, "no memory for the parts of runs") : 0;
}

int duckdb_parts_join(struct duckdb_parts *parts, duckdb_connection connection, struct error *err)
{
	bool found = true;
	int rc = 0;

	for (size_t i = 0; i < JOINS_MAX && found && !rc; i++) {
		struct join join;

		rc = find_next(connection, &join, &found, err);
		if (rc || !found)
			break;
		rc = enter(connection, &join, err);
		if (!rc)
			rc = know(parts, &join, err);
		join_clear(&join);
	}
	return rc ? rc : duckdb_run(connection, "TRUNCATE staged_links", "links", err);
}
