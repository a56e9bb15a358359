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

#include "base/cleanup.h"
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
		sample->figures->rss_bytes = any(4) ? any(1000) : 0;
		sample->figures->rss_peak_bytes = any(1000);
		sample->figures->wall_serial_ns = any(2) ? any(S) : 0;
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
			 "kernel_ns, hex(figures)) AS line FROM execution_sums UNION ALL "
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

/* Executions that run, of which samples and records are of any order, and one that was found. */
static void store_running(struct lake *lake, uint64_t sequence)
{
	struct made made;

	seed = sequence;
	made_init(&made, sequence);
	made_run(&made, "run", 0, -1);
	for (unsigned pid = 1; pid <= 12; pid++) {
		Signal__Execution *execution =
			made_execution(&made, pid, "", "tool", 0, pid % 5 ? -1 : 700);

		execution->found = pid % 3 == 0;
		execution->figures->user_ns = any(4 * S);
		execution->figures->rss_bytes = any(1000);
		execution->figures->rss_peak_bytes = any(1000);
	}
	for (unsigned i = 0; i < 100; i++) {
		double since = (double)(i * 37 % 100 * 10 + sequence); /* no two are the same */
		Signal__Sample *sample =
			made_sample(&made, 1 + (uint32_t)any(11), "", since, since + 5);

		sample->until_at = any(10) ? sample->until_at : 0;
		sample->figures->user_ns = any(S / 10);
		sample->figures->rss_bytes = any(3) ? any(1000) : 0;
		sample->figures->rss_peak_bytes = any(1000);
		sample->figures->disk_read_bytes = any(50) ? any(1000) : UINT64_MAX;
	}
	lake_store(lake, &made);
}

#define PROCESSES "run=run task= tool= status= limit=100 cursor="
#define FIGURES   "user_ns rss_bytes rss_peak_bytes disk_read_bytes"

/* Each execution, and the run as a whole. */
static char *executions(struct lake *lake)
{
	CLEANUP(freep)
	char *each =
		strdup(lake_query(lake, "processes", PROCESSES, "pid ended_at status " FIGURES));
	char *all = NULL;

	assert_true(asprintf(&all, "%s%s", each,
			     lake_query(lake, "run", "run=run", "executions " FIGURES)) > 0);
	return all;
}

static void assert_executions(struct lake *lake, const char *wanted)
{
	CLEANUP(freep) char *have = executions(lake);

	assert_string_equal(have, wanted);
}

static void executions_that_run_are_shown_as_before(void **state)
{
	struct lake *rolled = *state, read;

	lake_make(&read);
	for (uint64_t step = 1; step <= 4; step++) {
		CLEANUP(freep) char *wanted = NULL;

		store_running(rolled, step);
		store_running(&read, step);
		wanted = executions(&read);
		assert_executions(rolled, wanted); /* sums, and samples since */
		roll_up(rolled);
		assert_executions(rolled, wanted);
	}
	lake_remove(&read);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_sums_of_the_writer_are_those_of_the_samples),
		TEST(after_a_roll_up_of_the_samples_the_writer_goes_on),
		TEST(many_sums_are_stored_with_their_batch),
		TEST(executions_that_run_are_shown_as_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
