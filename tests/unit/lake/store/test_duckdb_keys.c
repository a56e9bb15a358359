/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/duckdb_keys.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The numbers of executions, with so little memory that most are looked up in the database. */
#define IN_MEMORY  8
#define EXECUTIONS 50

static duckdb_connection connection;
static struct duckdb_keys *keys;

static void run(const char *sql)
{
	struct error err = { "" };

	if (duckdb_run(connection, sql, "test", &err))
		fail_msg("%s", error_text(&err));
}

static char host[] = "host 1";

static struct duckdb_execution execution_of(uint64_t pid)
{
	return (struct duckdb_execution){ host, pid, 1000 + pid, 0 };
}

/* Wants some executions in one transaction, and writes their numbers. */
static void want(const uint64_t *pids, size_t count, int64_t *ret)
{
	struct error err = { "" };

	run("BEGIN");
	for (size_t i = 0; i < count; i++) {
		struct duckdb_execution execution = execution_of(pids[i]);

		assert_int_equal(duckdb_keys_want(keys, &execution, &ret[i]), 0);
	}
	if (duckdb_keys_settle(keys, connection, &err))
		fail_msg("settle: %s", error_text(&err));
	for (size_t i = 0; i < count; i++)
		ret[i] = duckdb_keys_number(keys, ret[i]);
}

static int64_t want_one(uint64_t pid)
{
	int64_t key;

	want(&pid, 1, &key);
	return key;
}

static void commit(void)
{
	run("COMMIT");
	duckdb_keys_commit(keys, connection);
}

static void an_execution_keeps_its_number_whatever_is_in_memory(void **state)
{
	int64_t numbers[EXECUTIONS];

	for (uint64_t pid = 0; pid < EXECUTIONS; pid++) {
		numbers[pid] = want_one(pid);
		assert_int_equal(numbers[pid], pid + 1);
		commit();
	}
	for (uint64_t pid = 0; pid < EXECUTIONS; pid += 7) {
		uint64_t both[] = { pid, EXECUTIONS + pid };
		int64_t found[2];

		want(both, 2, found);
		assert_int_equal(found[0], numbers[pid]);
		assert_true(found[1] > EXECUTIONS);
		commit();
	}
}

static void a_number_that_was_rolled_back_is_assigned_again(void **state)
{
	int64_t first = want_one(1), again;

	run("ROLLBACK");
	duckdb_keys_rollback(keys);
	again = want_one(1);
	assert_true(again > first);
	commit();
	assert_int_equal(want_one(1), again);
	commit();
}

/* After a transaction, another host's text may be in the same memory. */
static void another_host_in_the_same_memory_has_other_executions(void **state)
{
	int64_t first = want_one(1), rolled_back;

	commit();
	host[5] = '2';
	rolled_back = want_one(1);
	assert_true(rolled_back > first);
	run("ROLLBACK");
	duckdb_keys_rollback(keys);
	host[5] = '1';
	assert_int_equal(want_one(1), first);
	commit();
}

static int open_keys(void **state)
{
	struct lake *lake;
	struct store_options options = { 0 };
	struct error err = { "" };
	void *engine = NULL;

	lake_setup(state);
	lake = *state;
	lake_close(lake);
	options.path = lake->path;
	if (duckdb_operations.open(&engine, &options, &err))
		fail_msg("open: %s", error_text(&err));
	duckdb_connect(((struct duckdb_engine *)engine)->database, &connection);
	run("CREATE TEMP TABLE sought_executions AS FROM execution_keys LIMIT 0");
	if (duckdb_keys_open(&keys, connection, IN_MEMORY, &err))
		fail_msg("open: %s", error_text(&err));
	lake->store = engine; /* kept for close_keys */
	return 0;
}

static int close_keys(void **state)
{
	struct lake *lake = *state;
	void *engine = lake->store;

	duckdb_keys_free(keys);
	duckdb_disconnect(&connection);
	duckdb_operations.close(engine);
	lake->store = NULL;
	return lake_teardown(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_keys, close_keys)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_execution_keeps_its_number_whatever_is_in_memory),
		TEST(a_number_that_was_rolled_back_is_assigned_again),
		TEST(another_host_in_the_same_memory_has_other_executions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
