/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <duckdb.h>

#include "fixture_store.h"
#include "lake/duckdb/duckdb_sums.h"

/* The sums over samples that the writer keeps are those that are read out of the tables, and no
 * sample is added twice or left out. */

#define EXECUTIONS 40

static uint64_t seed;

static uint64_t any(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

/* Samples of any order, some without a time, some of little use, some that overlap. */
static void store_samples(struct lake *lake, uint64_t sequence)
{
	struct made made;

	seed = sequence;
	made_init(&made, sequence);
	for (unsigned i = 0; i < 300; i++) {
		double since = (double)any(6000) / 10, until = since + (double)any(60) / 10;
		Signal__Sample *sample =
			made_sample(&made, 1 + (uint32_t)any(EXECUTIONS), "", since, until);

		sample->run_id = "";
		sample->since_at = any(10) ? sample->since_at : 0;
		sample->until_at = any(10) ? sample->until_at : 0;
		sample->figures->user_ns = any(3) ? any(5 * S) : any(S / 1000);
		sample->figures->kernel_ns = any(50) ? any(S / 1000) : UINT64_MAX;
	}
	for (unsigned pid = 1; pid <= EXECUTIONS; pid += 3) {
		Signal__Execution *execution =
			made_execution(&made, pid, "", "tool", 0, pid % 2 ? -1 : 700);

		execution->run_id = pid % 4 ? "" : "run";
	}
	lake_store(lake, &made);
}

static void roll_up(struct lake *lake)
{
	struct error err = { "" };
	bool more = true;

	if (store_roll_up(lake->store, &more, &err))
		fail_msg("%s", error_text(&err));
	assert_false(more);
}

static void open_again(struct lake *lake)
{
	lake_close(lake);
	lake_open(lake);
}

/* The only cell of an answer, of the file of a lake that is closed meanwhile; freed by duckdb_free.
 */
static char *ask(struct lake *lake, const char *sql)
{
	duckdb_database database;
	duckdb_connection connection;
	duckdb_result result;
	char *cell;

	lake_close(lake);
	assert_int_equal(duckdb_open(lake->path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	if (duckdb_query(connection, sql, &result) == DuckDBError)
		fail_msg("%s: %s", sql, duckdb_result_error(&result));
	cell = duckdb_value_varchar(&result, 0, 0);
	duckdb_destroy_result(&result);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
	lake_open(lake);
	return cell;
}

static char *tables(struct lake *lake)
{
	return ask(lake, "SELECT string_agg(line, chr(10) ORDER BY line) FROM ("
			 "SELECT 'sums ' || concat_ws(' ', execution_key, until_at, user_ns, "
			 "kernel_ns) AS line FROM execution_sums UNION ALL "
			 "SELECT 'used ' || concat_ws(' ', execution_key, host_id, since_at, "
			 "until_at) FROM waits UNION ALL "
			 "SELECT 'sampled ' || execution_key FROM waits_sampled UNION ALL "
			 "SELECT 'rolled ' || sample_key FROM samples_rolled)");
}

static void assert_tables(struct lake *lake, const char *wanted)
{
	char *have = tables(lake);

	assert_string_equal(have, wanted);
	duckdb_free(have);
}

static void assert_answer(struct lake *lake, const char *sql, const char *wanted)
{
	char *have = ask(lake, sql);

	assert_string_equal(have, wanted);
	duckdb_free(have);
}

static void the_sums_of_the_writer_are_those_of_the_samples(void **state)
{
	struct lake *kept = *state, read;
	char *wanted;

	lake_make(&read);
	for (uint64_t step = 0; step < 3; step++) {
		store_samples(kept, 2 * step + 1);
		store_samples(kept, 2 * step + 2);
		roll_up(kept);
	}
	for (uint64_t step = 0; step < 3; step++) {
		store_samples(&read, 2 * step + 1);
		open_again(&read); /* it does not know what came before */
		store_samples(&read, 2 * step + 2);
		roll_up(&read);
	}
	wanted = tables(kept);
	assert_non_null(strstr(wanted, "sums "));
	assert_non_null(strstr(wanted, "used "));
	assert_tables(&read, wanted);
	duckdb_free(wanted);
	lake_remove(&read);
}

static void after_a_roll_up_of_the_samples_the_writer_goes_on(void **state)
{
	struct lake *mixed = *state, read;
	char *wanted;

	lake_make(&read);
	store_samples(mixed, 1);
	store_samples(&read, 1);
	open_again(mixed);
	roll_up(mixed);
	store_samples(mixed, 2);
	roll_up(mixed);
	store_samples(&read, 2);
	open_again(&read);
	roll_up(&read);
	wanted = tables(&read);
	assert_tables(mixed, wanted);
	duckdb_free(wanted);
	lake_remove(&read);
}

static void many_sums_are_stored_with_their_batch(void **state)
{
	struct lake *lake = *state;
	struct made made;
	uint32_t pid = 0;

	for (uint64_t sequence = 1; pid < DUCKDB_SUMS_MAX + 3; sequence++) {
		made_init(&made, sequence);
		for (unsigned i = 0; i < 5001; i++)
			made_sample(&made, ++pid, "", 1, 6)->run_id = "";
		lake_store(lake, &made);
	}
	made_init(&made, 100);
	made_sample(&made, 1, "", 6, 11)->run_id = "";
	lake_store(lake, &made);
	assert_answer(lake, "SELECT count(*) || ' ' || max(until_at) FROM execution_sums",
		      "50010 2026-01-01 00:00:06");
	roll_up(lake);
	assert_answer(lake, "SELECT count(*) || ' ' || max(until_at) FROM execution_sums",
		      "50010 2026-01-01 00:00:11");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_sums_of_the_writer_are_those_of_the_samples),
		TEST(after_a_roll_up_of_the_samples_the_writer_goes_on),
		TEST(many_sums_are_stored_with_their_batch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
