/* SPDX-License-Identifier: Apache-2.0 */
/* How the tables of settled runs are stored, also those of an older file: sums as numbers of 64
 * bits, and documents so that one is read without others. */
#include "fixture_store.h"

#include "base/cleanup.h"
#include "lake/store/settle/store_settle.h"

#include <duckdb.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LARGEST (INT64_C(1) << 60) /* a figure is cut at it */

static void settle(struct lake *lake)
{
	struct error err = { "" };
	bool done = false;

	if (store_settle(lake->store, "run", "sums", &done, &err))
		fail_msg("%s", err.text);
	assert_true(done);
}

static void store_run(struct lake *lake, int executions, int64_t bytes)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	made_task(&made, "task", "align", 0, 10);
	for (int i = 1; i <= executions; i++)
		made_execution(&made, (uint32_t)i, "task", "bwa", 0, 10)
			->figures->read_chars_bytes = (uint64_t)bytes;
	lake_store(lake, &made);
	settle(lake);
}

/* Runs a statement over the file of a closed lake, and returns the first cell: a number. */
static int64_t look(const struct lake *lake, const char *sql)
{
	duckdb_connection connection;
	duckdb_database database;
	duckdb_result result;
	int64_t number;

	assert_int_equal(duckdb_open(lake->path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	if (duckdb_query(connection, sql, &result) == DuckDBError)
		fail_msg("%s: %s", sql, duckdb_result_error(&result));
	number = duckdb_row_count(&result) ? duckdb_value_int64(&result, 0, 0) : 0;
	duckdb_destroy_result(&result);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
	return number;
}

#define WIDE                                                                                   \
	"SELECT count(*) FROM duckdb_columns() WHERE data_type = 'HUGEINT' AND table_name IN " \
	"(SELECT table_name FROM duckdb_tables())"

static void assert_sums(struct lake *lake)
{
	static const struct {
		const char *query, *params;
	} QUERIES[] = {
		{ "run", "run=run" },
		{ "shares", "run=run" },
		{ "steps", "run=run" },
		{ "tools", "run=run all=" },
		{ "tasks", "run=run step= status= cursor= limit=10" },
	};

	for (size_t i = 0; i < sizeof(QUERIES) / sizeof(QUERIES[0]); i++)
		assert_string_equal(lake_query(lake, QUERIES[i].query, QUERIES[i].params,
					       "executions read_chars_bytes"),
				    "3 21\n");
}

static void sums_are_stored_as_numbers_of_64_bits(void **state)
{
	struct lake *lake = *state;

	store_run(lake, 3, 7);
	assert_sums(lake);
	lake_close(lake);
	assert_int_equal(look(lake, WIDE), 0);
}

static void wider_ones_of_an_older_file_become_so_when_it_is_opened(void **state)
{
	struct lake *lake = *state;

	store_run(lake, 3, 7);
	lake_close(lake);
	look(lake, "ALTER TABLE settled_steps ALTER read_chars_bytes TYPE HUGEINT");
	look(lake, "ALTER TABLE settled_work ALTER cpu_ns TYPE HUGEINT");
	assert_int_equal(look(lake, WIDE), 2);
	lake_open(lake);
	assert_sums(lake);
	lake_close(lake);
	assert_int_equal(look(lake, WIDE), 0);
	lake_open(lake);
	assert_sums(lake);
}

static void a_sum_beyond_them_is_cut(void **state)
{
	struct lake *lake = *state;
	char cut[32];

	store_run(lake, 9, LARGEST); /* more than 2^63 */
	snprintf(cut, sizeof(cut), "9 %lld\n", (long long)LARGEST);
	assert_string_equal(lake_query(lake, "run", "run=run", "executions read_chars_bytes"), cut);
	assert_string_equal(lake_query(lake, "steps", "run=run", "executions read_chars_bytes"),
			    cut);
}

#define DOCUMENTS 40
#define NUMBERS   4000
#define LONG_TEXT (8 * NUMBERS)

/* A text that DuckDB compresses by ZSTD, unless it is set not to: a list of numbers. */
static void write_document(char text[LONG_TEXT], int64_t number)
{
	size_t len = 0;

	for (int64_t i = 0; i < NUMBERS; i++)
		len += (size_t)snprintf(
			text + len, LONG_TEXT - len, "%c%lld", i ? ',' : '[',
			(long long)((i * i + number * 7919 + i * 104729) % 1000003));
	snprintf(text + len, LONG_TEXT - len, "]");
}

static void store_documents(struct lake *lake)
{
	char text[LONG_TEXT], kind[16];
	struct error err = { "" };

	store_run(lake, 3, 7);
	for (int i = 0; i < DOCUMENTS; i++) {
		struct store_run_state state;

		store_run_state(lake->store, "run", &state);
		snprintf(kind, sizeof(kind), "%d", i);
		write_document(text, i);
		if (store_keep(lake->store, "run", state.settled, kind, "test", text, &err))
			fail_msg("%s", err.text);
	}
}

static void assert_documents(struct lake *lake)
{
	char text[LONG_TEXT], params[64];

	for (int i = 0; i < DOCUMENTS; i++) {
		snprintf(params, sizeof(params), "run=run kind=%d maker=test", i);
		write_document(text, i);
		strcat(text, "\n");
		assert_string_equal(lake_query(lake, "settled_document", params, "text"), text);
	}
}

#define COMPRESSED                                                       \
	"SELECT count(*) FROM pragma_storage_info('settled_documents') " \
	"WHERE compression = 'ZSTD'"

static void documents_are_not_compressed_with_others(void **state)
{
	struct lake *lake = *state;

	store_documents(lake);
	assert_documents(lake);
	lake_close(lake);
	assert_int_equal(look(lake, COMPRESSED), 0);
}

/* DuckDB alone, without the settings of a lake, compresses them. */
static void those_of_an_older_file_are_unpacked_when_it_is_opened(void **state)
{
	struct lake *lake = *state;

	store_documents(lake);
	lake_close(lake);
	look(lake, "UPDATE settled_documents SET text = text || ' '; CHECKPOINT");
	look(lake, "UPDATE settled_documents SET text = rtrim(text); CHECKPOINT");
	assert_true(look(lake, COMPRESSED) > 0);
	lake_open(lake);
	assert_documents(lake);
	lake_close(lake);
	assert_int_equal(look(lake, COMPRESSED), 0);
	lake_open(lake);
	assert_documents(lake);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(sums_are_stored_as_numbers_of_64_bits),
		TEST(wider_ones_of_an_older_file_become_so_when_it_is_opened),
		TEST(a_sum_beyond_them_is_cut),
		TEST(documents_are_not_compressed_with_others),
		TEST(those_of_an_older_file_are_unpacked_when_it_is_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
