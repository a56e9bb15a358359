/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "fixture_store.h"
#include "lake/duckdb/duckdb_engine.h"

/* What the sums over the samples of hosts answer, is what the samples say: however they arrive, and
 * whenever they are added up. */

#define HOSTS 3

/* What the queries answer from sums, from the samples alone. */
static const char SERIES[] =
	"SELECT string_agg(line, '' ORDER BY line) FROM (SELECT concat_ws(' ', host_id, "
	"epoch_us(until_at) // %lld, sum(greatest(epoch_us(until_at) - epoch_us(since_at), 0)), "
	"sum(cpu_user_ns), sum(net_rx_bytes), round(avg(memory_used_bytes)), max(agent_spool_bytes), "
	"sum(block_requests)) || chr(10) AS line FROM %s WHERE until_at >= TIMESTAMP '2026-01-01 00:00:00' "
	"GROUP BY host_id, epoch_us(until_at) // %lld)";

static uint64_t seed;

static uint64_t any(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

static void add_sample(struct made *made, int64_t since_at, int64_t until_at)
{
	Signal__HostSample *sample = made_add(made, "host_samples");

	sample->since_at = since_at;
	sample->until_at = until_at;
	sample->cpu_user_ns = any(1000);
	sample->cpu_tracked_ns = any(1000);
	sample->net_rx_bytes = any(UINT64_C(1) << 40);
	sample->memory_used_bytes = any(UINT64_C(1) << 40);
	sample->agent_spool_bytes = any(1000);
	sample->block_requests = any(1000);
}

/* A batch of a host: minutes of samples from `begin` (seconds after T0), with gaps and clocks
 * that are set. */
static void store_samples(struct lake *lake, unsigned host, uint64_t sequence, int64_t begin)
{
	static char names[HOSTS][8] = { "a", "b", "c" };
	int64_t until_at = T0 + begin * S;
	struct made made;

	made_init(&made, sequence);
	made.batch.host_id = made.batch.agent_id = names[host];
	made.batch.boot_id = sequence % 7 ? "boot 1" : "boot 2";
	((Signal__Host *)made_add(&made, "hosts"))->hostname = names[host];
	for (int i = 0; i < 30; i++) {
		int64_t since_at = until_at;

		until_at += 20 * S + (int64_t)any(1000);
		if (any(5) == 0)
			until_at += (int64_t)any(70) * S;
		if (any(30) == 0)
			until_at = since_at - (int64_t)any(90) * S;
		add_sample(&made, since_at < until_at ? since_at : until_at, until_at);
	}
	lake_store(lake, &made);
}

static char *ask(const struct lake *lake, const char *sql)
{
	duckdb_database database;
	duckdb_connection connection;
	duckdb_result result;
	char *text, *copy;

	assert_int_equal(duckdb_open(lake->path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	if (duckdb_query(connection, sql, &result) == DuckDBError)
		fail_msg("%s: %s", sql, duckdb_result_error(&result));
	text = duckdb_value_varchar(&result, 0, 0);
	copy = strdup(text ? text : "");
	duckdb_free(text);
	duckdb_destroy_result(&result);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
	return copy;
}

/* The answers about hosts. Free with free(). */
static char *answers(struct lake *lake)
{
	static const char *const QUERIES[][3] = {
		{ "host_samples", "host=a since_at=@0 until_at=@9000000 interval_s=60",
		  "at sample_s cpu_user_ns memory_used_bytes agent_spool_bytes net_rx_bytes" },
		{ "host_samples", "host=b since_at=@3600 until_at=@9000000 interval_s=3600",
		  "at sample_s cpu_user_ns memory_used_bytes agent_spool_bytes net_rx_bytes" },
		{ "host_samples", "host=c since_at=@0 until_at=@9000000 interval_s=15",
		  "at sample_s cpu_user_ns memory_used_bytes agent_spool_bytes net_rx_bytes" },
		{ "activity_up", "since_at= until_at=", "host_id since_at until_at" },
		{ "activity_hosts",
		  "since_at= until_at=", "id since_at until_at up_s cpu_busy_ns cpu_tracked_ns" },
		{ "activity_hosts", "since_at=@3725.5 until_at=@9000.25",
		  "id since_at until_at up_s cpu_busy_ns cpu_tracked_ns" },
		{ "hosts", "host=", "id sampled_at sample_s memory_used_bytes" },
		{ "metrics", "", "host_samples" },
	};
	char *all = calloc(1, 1 << 20);
	size_t len = 0;

	for (size_t i = 0; i < sizeof(QUERIES) / sizeof(QUERIES[0]); i++)
		len += (size_t)snprintf(
			all + len, (1 << 20) - len, "%s\n%s", QUERIES[i][0],
			lake_query(lake, QUERIES[i][0], QUERIES[i][1], QUERIES[i][2]));
	assert_true(len < 1 << 20);
	return all;
}

static void roll_up(struct lake *lake)
{
	struct error err = { "" };
	bool more;

	if (store_roll_up(lake->store, &more, &err))
		fail_msg("%s", error_text(&err));
}

static void fill(struct lake *lake, unsigned roll_up_every)
{
	seed = 1;
	for (uint64_t i = 1; i <= 24; i++) {
		/* Some of it comes two hours late. */
		int64_t begin = (int64_t)i * 240 - (any(5) == 0 ? 7200 : 0);

		store_samples(lake, (unsigned)any(HOSTS), i, begin + 10800);
		if (roll_up_every && i % roll_up_every == 0)
			roll_up(lake);
	}
}

static void sums_answer_what_samples_answer(void **state)
{
	static const unsigned every[] = { 3 };
	struct lake *lake = *state;
	char *wanted;

	fill(lake, 0);
	wanted = answers(lake);
	assert_non_null(strstr(wanted, "activity_up\na @"));
	for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++) {
		struct lake other;
		char *have;

		lake_make(&other);
		fill(&other, every[i]);
		have = answers(&other);
		assert_string_equal(have, wanted);
		free(have);
		lake_remove(&other);
	}
	free(wanted);
}

static void assert_sums(struct lake *lake, const char *view, long long interval_us)
{
	char sql[1024], *wanted, *have;

	snprintf(sql, sizeof(sql), SERIES, interval_us, "host_samples", interval_us);
	wanted = ask(lake, sql);
	snprintf(sql, sizeof(sql),
		 "SELECT string_agg(line, '' ORDER BY line) FROM (SELECT concat_ws(' ', host_id, "
		 "epoch_us(\"at\") // %lld, sum(lasted_us), sum(cpu_user_ns), sum(net_rx_bytes), "
		 "round(sum(memory_used_bytes) / sum(samples)), max(agent_spool_bytes), "
		 "sum(block_requests)) || chr(10) AS line FROM %s GROUP BY host_id, "
		 "epoch_us(\"at\") // %lld)",
		 interval_us, view, interval_us);
	have = ask(lake, sql);
	assert_true(strlen(wanted) > 100);
	assert_string_equal(have, wanted);
	free(wanted);
	free(have);
}

static void every_sample_counts_once_in_each_sum(void **state)
{
	struct lake *lake = *state;
	char *rows;

	fill(lake, 4);
	lake_close(lake);
	assert_sums(lake, "host_by_minute", 60000000);
	assert_sums(lake, "host_by_hour", 3600000000);
	rows = ask(lake, "SELECT count(*) > 0 FROM host_hours");
	assert_string_equal(rows, "true");
	free(rows);
	rows = ask(
		lake,
		"SELECT count(*) = 3 AND bool_and(l.until_at = s.until_at) FROM host_last AS l JOIN "
		"(SELECT host_id, max(until_at) AS until_at FROM host_samples GROUP BY host_id) "
		"AS s USING (host_id)");
	assert_string_equal(rows, "true");
	free(rows);
	lake_open(lake);
}

static void a_late_sample_is_seen_at_once(void **state)
{
	static const char QUERY[] = "host=a since_at=@0 until_at=@900000 interval_s=3600";
	struct lake *lake = *state;
	struct made made;

	fill(lake, 6);
	made_init(&made, 1000);
	made.batch.host_id = made.batch.agent_id = "a";
	add_sample(&made, T0, T0 + 5 * S);
	lake_store(lake, &made);
	assert_non_null(strstr(lake_query(lake, "host_samples", QUERY, "at sample_s"), "@0 5\n"));
	assert_string_equal(lake_query(lake, "activity_up", "since_at= until_at=@9",
				       "host_id since_at until_at"),
			    "a @0 @5\n");
	roll_up(lake);
	assert_non_null(strstr(lake_query(lake, "host_samples", QUERY, "at sample_s"), "@0 5\n"));
}

/* Files of earlier versions have samples, and none of the sums. */
static void the_samples_of_an_older_file_are_added_once(void **state)
{
	static const char OLDER[] =
		"DELETE FROM host_rollups; DELETE FROM host_minutes; DELETE FROM host_minutes_new; "
		"DELETE FROM host_hours; DELETE FROM host_up; DELETE FROM host_latest; "
		"DELETE FROM layout; SELECT 1";
	struct lake *lake = *state;
	char *wanted, *have;

	fill(lake, 6);
	wanted = answers(lake);
	for (int i = 0; i < 2; i++) { /* the second time, nothing but the layout is old */
		lake_close(lake);
		free(ask(lake, i ? "DELETE FROM layout" : OLDER));
		lake_open(lake);
		have = answers(lake);
		assert_string_equal(have, wanted);
		free(have);
		roll_up(lake);
		have = answers(lake);
		assert_string_equal(have, wanted);
		free(have);
	}
	free(wanted);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(sums_answer_what_samples_answer),
		TEST(every_sample_counts_once_in_each_sum),
		TEST(a_late_sample_is_seen_at_once),
		TEST(the_samples_of_an_older_file_are_added_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
