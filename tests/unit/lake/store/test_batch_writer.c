/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/batch_writer.h"
#include "lake/store/ingest/batch_wave.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Groups of batches, written into a real engine. */
static struct store_operations operations;
static struct batch_writer writer;
static size_t writes, commits;

static int count_write(void *engine, const Signal__Batch *const *batches, size_t count,
		       const struct merged_runs *merged, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(batches[i]->agent_id, "unstorable") == 0)
			return error_set(err, -EPROTO, "it cannot be stored");
	writes++;
	return duckdb_operations.write(engine, batches, count, merged, err);
}

static int count_commit(void *engine, struct error *err)
{
	commits++;
	return duckdb_operations.commit(engine, err);
}

static void open_engine(struct lake *lake)
{
	struct store_options options = { .path = lake->path };
	struct error err = { "" };

	lake_close(lake);
	operations = duckdb_operations;
	operations.write = count_write;
	operations.commit = count_commit;
	writes = commits = 0;
	writer = (struct batch_writer){ .operations = &operations };
	if (duckdb_operations.open(&writer.engine, &options, &err))
		fail_msg("open: %s", error_text(&err));
}

static void close_engine(struct lake *lake)
{
	batch_writer_forget(&writer);
	duckdb_operations.close(writer.engine);
	lake_open(lake);
}

static void made_of(struct made *made, char *host, char *agent, uint64_t sequence)
{
	made_init(made, sequence);
	made->batch.host_id = host;
	made->batch.agent_id = agent;
}

static int64_t number_of(const char *sql)
{
	duckdb_connection connection =
		duckdb_writer_connection(((struct duckdb_engine *)writer.engine)->writer);
	duckdb_result result;
	int64_t number;

	assert_int_equal(duckdb_query(connection, sql, &result), DuckDBSuccess);
	number = duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	return number;
}

static void store(struct made *made, struct batch_item *items, size_t count)
{
	memset(items, 0, count * sizeof(*items));
	for (size_t i = 0; i < count; i++)
		items[i].batch = &made[i].batch;
	assert_int_equal(batch_writer_store(&writer, items, count), 0);
}

static void clear(struct made *made, size_t count)
{
	for (size_t i = 0; i < count; i++)
		made_clear(&made[i]);
}

static void batches_of_many_agents_are_one_transaction(void **state)
{
	static char *const hosts[] = { "a", "b", "c", "d" };
	struct batch_item items[4];
	struct made made[4];

	open_engine(*state);
	for (size_t i = 0; i < 4; i++) {
		made_of(&made[i], hosts[i], hosts[i], 1);
		made_execution(&made[i], 1, "", "bwa", 0, 10)->figures->user_ns = 1;
	}
	store(made, items, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(!items[i].rc && !items[i].duplicate);
	assert_int_equal(writes, 1);
	assert_int_equal(commits, 1);
	clear(made, 4);
	close_engine(*state);
	assert_string_equal(lake_query(*state, "metrics", "", "executions batches"), "4 4\n");
}

static void the_later_of_two_records_with_one_key_counts(void **state)
{
	struct batch_item items[3];
	struct made made[3];

	open_engine(*state);
	for (size_t i = 0; i < 3; i++) {
		made_of(&made[i], "host", i == 1 ? "before a restart" : "agent", 3 - i);
		made_run(&made[i], "run", 0, i ? -1 : 10);
		made_execution(&made[i], 1, "", "bwa", 0, i ? -1 : 10)->figures->user_ns = 9 - i;
	}
	store(made, items, 3);
	assert_int_equal(writes, 3);
	assert_int_equal(commits, 1);
	clear(made, 3);
	close_engine(*state);
	assert_string_equal(lake_query(*state, "run", "run=run", "status executions user_ns"),
			    "succeeded 1 9\n");
}

/* All batches have a record of the run, so each is a wave: its new execution has one number, and
 * its sample is one. */
static void samples_of_several_waves_are_there_once(void **state)
{
	struct batch_item items[3];
	struct made made[3];

	open_engine(*state);
	for (size_t i = 0; i < 3; i++) {
		made_of(&made[i], "host", "agent", i + 1);
		made_run(&made[i], "run", 0, -1);
		made_execution(&made[i], (uint32_t)i + 1, "", "bwa", 0, 10)->run_id = "run";
		made_sample(&made[i], (uint32_t)i + 1, "", 0, 5)->figures->user_ns = 1;
	}
	store(made, items, 3);
	assert_int_equal(writes, 3);
	assert_int_equal(commits, 1);
	clear(made, 3);
	assert_int_equal(number_of("SELECT count(*) FROM samples"), 3);
	assert_int_equal(number_of("SELECT count(*) FROM execution_keys"), 3);
	close_engine(*state);
}

/* Two pairs of runs with one link each; of one pair both runs are new. */
static void links_of_all_batches_of_a_group_join_runs(void **state)
{
	static char *const hosts[] = { "a", "b", "c", "d" };
	struct batch_item items[4];
	struct made made[4];

	open_engine(*state);
	for (size_t i = 0; i < 4; i++) {
		Signal__Link *link;

		made_of(&made[i], hosts[i], hosts[i], 1);
		made_run(&made[i], hosts[i], (double)i, 100)->engine = "argo";
		made_task(&made[i], hosts[i], "step", (double)i, 90)->run_id = hosts[i];
		link = made_add(&made[i], "links");
		link->run_id = hosts[i];
		link->kind = "workflow";
		link->value = i % 2 ? "one" : "two";
		link->lead = true;
	}
	store(made, items, 1);
	store(made + 1, items, 3);
	assert_int_equal(writes, 2);
	clear(made, 4);
	close_engine(*state);
	assert_string_equal(lake_query(*state, "merged_runs", "cursor= limit=9", "part_id run_id"),
			    "d b\nc a\n");
}

static void a_batch_that_is_twice_in_a_group_is_stored_once(void **state)
{
	struct batch_item items[2];
	struct made made[2];

	open_engine(*state);
	for (size_t i = 0; i < 2; i++) {
		made_of(&made[i], "host", "agent", 1);
		made_add(&made[i], "losses");
	}
	store(made, items, 2);
	assert_true(!items[0].rc && !items[0].duplicate);
	assert_true(!items[1].rc && items[1].duplicate);
	store(made, items, 2);
	assert_true(items[0].duplicate && items[1].duplicate);
	assert_int_equal(commits, 1);
	clear(made, 2);
	close_engine(*state);
	assert_string_equal(lake_query(*state, "metrics", "", "batches"), "1\n");
}

static void a_batch_that_cannot_be_stored_fails_alone(void **state)
{
	static char *const agents[] = { "a", "unstorable", "c" };
	struct batch_item items[3];
	struct made made[3];

	open_engine(*state);
	for (size_t i = 0; i < 3; i++) {
		made_of(&made[i], "host", agents[i], 1);
		made_execution(&made[i], (uint32_t)i + 1, "", "bwa", 0, 10)->figures->user_ns = 1;
		made_sample(&made[i], (uint32_t)i + 1, "", 0, 5);
	}
	store(made, items, 3);
	assert_int_equal(items[0].rc, 0);
	assert_int_equal(items[1].rc, -EPROTO);
	assert_non_null(strstr(error_text(&items[1].err), "cannot be stored"));
	assert_int_equal(items[2].rc, 0);
	clear(made, 3);
	close_engine(*state);
	assert_string_equal(lake_query(*state, "metrics", "", "executions samples batches"),
			    "2 2 2\n");
}

static void a_wave_takes_no_two_batches_with_one_key(void **state)
{
	struct batch_wave *wave = batch_wave_new();
	struct made made[4];

	made_of(&made[0], "a", "a", 1);
	made_execution(&made[0], 7, "", "bwa", 0, 10);
	made_of(&made[1], "a", "b", 1);
	made_execution(&made[1], 7, "", "bwa", 0, 10);
	made_of(&made[2], "b", "b", 1);
	made_execution(&made[2], 7, "", "bwa", 0, 10);
	made_of(&made[3], "c", "a", 2);
	assert_int_equal(batch_wave_add(wave, &made[0].batch), 0);
	assert_int_equal(batch_wave_add(wave, &made[1].batch), -EEXIST); /* an execution */
	assert_int_equal(batch_wave_add(wave, &made[2].batch), 0);
	assert_int_equal(batch_wave_add(wave, &made[3].batch), 0);
	batch_wave_free(wave);
	clear(made, 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lake_setup, lake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(batches_of_many_agents_are_one_transaction),
		TEST(the_later_of_two_records_with_one_key_counts),
		TEST(samples_of_several_waves_are_there_once),
		TEST(links_of_all_batches_of_a_group_join_runs),
		TEST(a_batch_that_is_twice_in_a_group_is_stored_once),
		TEST(a_batch_that_cannot_be_stored_fails_alone),
		cmocka_unit_test(a_wave_takes_no_two_batches_with_one_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
