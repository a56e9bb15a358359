/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/duckdb_ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* The ranges that say which batches are stored, and a ledger without rows. */
static void run(const char *path, const char *sql)
{
	duckdb_connection connection;
	duckdb_database database;
	struct error err = { "" };

	assert_int_equal(duckdb_open(path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	if (duckdb_run(connection, sql, "test", &err))
		fail_msg("%s", error_text(&err));
	duckdb_disconnect(&connection);
	duckdb_close(&database);
}

/* As if so many batches had come that the next one folds the ledger. */
static void pretend_many(struct lake *lake)
{
	char sql[160];

	(void)snprintf(sql, sizeof(sql),
		       "UPDATE ledger SET batch_key = batch_key + %d "
		       "WHERE batch_key = (SELECT max(batch_key) FROM ledger)",
		       DUCKDB_LEDGER_FOLD);
	lake_close(lake);
	run(lake->path, sql);
	lake_open(lake);
}

static bool is_duplicate(struct lake *lake, uint64_t sequence)
{
	struct made made;
	bool duplicate = false;

	made_init(&made, sequence);
	assert_int_equal(store_ingest(lake->store, &made.batch, &duplicate, NULL), 0);
	made_clear(&made);
	return duplicate;
}

static void batches_are_known_after_their_rows_have_gone(void **state)
{
	static const uint64_t sequences[] = { 1, 2, 3, 7, 8, 20 };
	struct lake *lake = *state;
	char mark[128];

	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		assert_false(is_duplicate(lake, sequences[i]));
	pretend_many(lake);
	assert_false(is_duplicate(lake, 4));
	assert_string_equal(lake_query(lake, "ledger_ranges", "", "first last"),
			    "1 4\n7 8\n20 20\n");
	lake_close(lake);
	run(lake->path, "DELETE FROM ledger");
	(void)snprintf(mark, sizeof(mark), "%s.batches", lake->path);
	assert_int_equal(remove(mark), 0); /* how many there were (duckdb_mark.h) */
	lake_open(lake);
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		assert_true(is_duplicate(lake, sequences[i]));
	assert_true(is_duplicate(lake, 4));
	assert_false(is_duplicate(lake, 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(batches_are_known_after_their_rows_have_gone,
						lake_setup, lake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
