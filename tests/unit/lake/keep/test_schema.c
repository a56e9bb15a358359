/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/named_query.h"
#include "signal/figures.h"

#include <glob.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* These tests look into the database beside the store, by DuckDB's own C interface. */
static duckdb_database database;
static duckdb_connection connection;

static void look_into(const struct lake *lake)
{
	assert_int_equal(duckdb_open(lake->path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
}

static void look_away(void)
{
	duckdb_disconnect(&connection);
	duckdb_close(&database);
}

/* The first cell of an answer as text, or "" (free with duckdb_free). */
static char *ask(const char *sql)
{
	duckdb_result result;
	char *text;

	if (duckdb_query(connection, sql, &result) == DuckDBError)
		fail_msg("%s: %s", sql, duckdb_result_error(&result));
	text = duckdb_row_count(&result) ? duckdb_value_varchar(&result, 0, 0) : NULL;
	duckdb_destroy_result(&result);
	return text;
}

static void assert_column(const char *table, const char *column, const char *type)
{
	char sql[256], *found;

	snprintf(sql, sizeof(sql),
		 "SELECT data_type FROM information_schema.columns WHERE table_name = '%s' AND "
		 "column_name = '%s'",
		 table, column);
	found = ask(sql);
	if (!found || strcmp(found, type))
		fail_msg("%s.%s should be %s, is %s", table, column, type,
			 found ? found : "missing");
	duckdb_free(found);
}

/* What a field of signal.proto is in the lake; NULL: it is no column. */
static const char *type_of(const ProtobufCFieldDescriptor *field)
{
	size_t len = strlen(field->name);

	if (field->descriptor == &signal__label__descriptor)
		return "JSON";
	if (field->type == PROTOBUF_C_TYPE_MESSAGE)
		return NULL;
	if (field->type == PROTOBUF_C_TYPE_STRING)
		return field->label == PROTOBUF_C_LABEL_REPEATED ? "VARCHAR[]" : "VARCHAR";
	if (field->type == PROTOBUF_C_TYPE_DOUBLE)
		return "DOUBLE";
	if (field->type == PROTOBUF_C_TYPE_BOOL)
		return "BOOLEAN";
	if (field->label == PROTOBUF_C_LABEL_REPEATED)
		return "BIGINT[]";
	return len > 3 && !strcmp(field->name + len - 3, "_at") ? "TIMESTAMP" : "BIGINT";
}

static void check_message(const char *table, const ProtobufCMessageDescriptor *message)
{
	for (unsigned i = 0; i < message->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &message->fields[i];

		if (type_of(field))
			assert_column(table, field->name, type_of(field));
		else if (field->descriptor)
			check_message(table, field->descriptor);
	}
}

static void every_field_of_every_record_is_a_column_of_its_kind(void **state)
{
	static const char *const header[] = { "host_id", "boot_id", "agent_id" };
	unsigned tables = 0;

	lake_close(*state);
	look_into(*state);
	for (unsigned i = 0; i < signal__batch__descriptor.n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &signal__batch__descriptor.fields[i];

		if (field->type != PROTOBUF_C_TYPE_MESSAGE)
			continue;
		tables++;
		check_message(field->name, field->descriptor);
		for (size_t k = 0; k < 3; k++)
			assert_column(field->name, header[k], "VARCHAR");
		assert_column(field->name, "sequence", "BIGINT");
		assert_column(field->name, "created_at", "TIMESTAMP");
	}
	/* Samples are in another table, with a view of that name. */
	assert_int_equal(tables, TABLES_COUNT);
	look_away();
}

static void every_figure_is_a_column_of_executions_and_samples(void **state)
{
	lake_close(*state);
	look_into(*state);
#define CHECK(name, kind)                             \
	assert_column("executions", #name, "BIGINT"); \
	assert_column("samples", #name, "BIGINT");
	FIGURES(CHECK)
	look_away();
}

static void assert_refused(struct lake *lake, const char *change, const char *words)
{
	struct store_options options = { .path = lake->path };
	struct error err = { 0 };
	duckdb_result result;

	look_into(lake);
	assert_int_equal(duckdb_query(connection, change, &result), DuckDBSuccess);
	duckdb_destroy_result(&result);
	look_away();
	assert_int_equal(store_open(&lake->store, &options, &err), -EINVAL);
	if (!strstr(error_text(&err), words))
		fail_msg("'%s' lacks '%s'", error_text(&err), words);
}

static void a_store_with_an_unknown_column_is_refused_by_its_name(void **state)
{
	lake_close(*state);
	assert_refused(*state, "ALTER TABLE tasks ADD COLUMN colour VARCHAR", "tasks.colour");
}

static void change(const struct lake *lake, const char *sql)
{
	duckdb_result result;

	look_into(lake);
	assert_int_equal(duckdb_query(connection, sql, &result), DuckDBSuccess);
	duckdb_destroy_result(&result);
	look_away();
}

static void the_store_of_an_earlier_version_gets_the_columns_it_lacks(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	made_execution(&made, 1, "", "bwa", 0, 10)->figures->user_ns = 7;
	lake_store(lake, &made);
	lake_close(lake);
	change(lake, "DROP TABLE layout");
	change(lake, "ALTER TABLE executions DROP COLUMN lock_ns");
	change(lake, "ALTER TABLE runs DROP COLUMN trace_id");
	lake_open(lake);
	made_init(&made, 2);
	made_execution(&made, 2, "", "bwa", 0, 10)->figures->lock_ns = 5;
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "run", "run=run", "executions user_ns lock_ns"),
			    "2 7 5\n");
}

static void a_store_with_a_column_of_another_type_is_refused(void **state)
{
	lake_close(*state);
	assert_refused(*state, "ALTER TABLE losses ALTER count TYPE VARCHAR", "losses.count");
}

static void a_file_that_is_no_store_is_refused_and_left_alone(void **state)
{
	struct lake *lake = *state;
	struct store_options options = { .path = lake->path };
	struct error err = { 0 };
	char text[64] = { 0 };
	FILE *file;

	lake_close(lake);
	file = fopen(lake->path, "w");
	fputs("my thesis, not a database at all", file);
	fclose(file);
	assert_int_equal(store_open(&lake->store, &options, &err), -EIO);
	assert_non_null(strstr(error_text(&err), lake->path));
	file = fopen(lake->path, "r");
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "my thesis, not a database at all");
}

static void two_stores_cannot_hold_one_file(void **state)
{
	struct lake *lake = *state;
	int status = 0;
	pid_t pid = fork();

	/* From another process: within one, DuckDB shares the file. */
	if (!pid) {
		struct store_options options = { .path = lake->path };
		struct store *store;
		struct error err = { 0 };
		int rc = store_open(&store, &options, &err);

		_exit(rc == -EIO && strstr(error_text(&err), "another tracer-lake") ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

static size_t files_in(const char *pattern)
{
	glob_t found = { 0 };
	size_t count;

	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	count = found.gl_pathc;
	globfree(&found);
	return count;
}

static void every_query_has_one_file_and_every_file_is_a_query(void **state)
{
	size_t count;
	const struct named_query *const *queries = named_queries(&count);

	assert_int_equal(files_in(TESTS_DIR "/../src/lake/duckdb/queries/*/*.sql"), count);
	for (size_t i = 0; i < count; i++) {
		assert_non_null(duckdb_sql_query(queries[i]->name));
		assert_ptr_equal(named_query_find(queries[i]->name), queries[i]);
	}
	assert_null(named_query_find("no such query"));
	assert_null(named_query_find(""));
}

/* The settings of the database hold for each connection to it. */
static void assert_forbidden(const char *sql)
{
	duckdb_result result;

	if (duckdb_query(connection, sql, &result) == DuckDBSuccess)
		fail_msg("'%s' went through", sql);
	duckdb_destroy_result(&result);
}

static void the_engine_reads_no_files_and_no_statement_allows_it(void **state)
{
	struct lake *lake = *state;
	struct store_options options = { .path = lake->path };
	void *engine;

	lake_close(lake);
	assert_int_equal(duckdb_operations.open(&engine, &options, NULL), 0);
	assert_int_equal(duckdb_connect(((struct duckdb_engine *)engine)->database, &connection),
			 DuckDBSuccess);
	assert_forbidden("SELECT * FROM read_csv('/etc/passwd')");
	assert_forbidden("SELECT * FROM read_text('/etc/hostname')");
	assert_forbidden("COPY runs TO '/tmp/tracer-lake-test-copy.csv'");
	assert_forbidden("ATTACH '/tmp/tracer-lake-test-other.duckdb'");
	assert_forbidden("INSTALL httpfs");
	assert_forbidden("SET enable_external_access = true");
	assert_forbidden("SET memory_limit = '64GB'");
	duckdb_disconnect(&connection);
	duckdb_operations.close(engine);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(every_field_of_every_record_is_a_column_of_its_kind),
		TEST(every_figure_is_a_column_of_executions_and_samples),
		TEST(a_store_with_an_unknown_column_is_refused_by_its_name),
		TEST(the_store_of_an_earlier_version_gets_the_columns_it_lacks),
		TEST(a_store_with_a_column_of_another_type_is_refused),
		TEST(a_file_that_is_no_store_is_refused_and_left_alone),
		TEST(two_stores_cannot_hold_one_file),
		TEST(every_query_has_one_file_and_every_file_is_a_query),
		TEST(the_engine_reads_no_files_and_no_statement_allows_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
