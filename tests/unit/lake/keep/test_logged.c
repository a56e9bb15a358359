/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_deliver.h"
#include "fixture_store.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "lake/store/store_use.h"
#include "lake/store/upkeep/upkeep.h"

/* A store with a log: batches are acknowledged before they are in the database. */
#define BATCHES 20

static int open_logged(void **state)
{
	static struct lake lake;

	lake_make(&lake);
	lake_close(&lake);
	lake.logged = true;
	lake_open(&lake);
	*state = &lake;
	return 0;
}

static int send(struct lake *lake, uint64_t sequence, bool *ret_duplicate, struct error *err)
{
	struct made made;
	int rc;

	made_init(&made, sequence);
	made_run(&made, "run", 0, -1);
	made_execution(&made, (uint32_t)sequence, "t", "tool", 0, 1);
	rc = deliver(lake->store, &made.batch, ret_duplicate, err);
	made_clear(&made);
	return rc;
}

static void send_all(struct lake *lake)
{
	for (uint64_t i = 1; i <= BATCHES; i++) {
		bool duplicate = true;

		assert_int_equal(send(lake, i, &duplicate, NULL), 0);
		assert_false(duplicate);
	}
}

static void assert_stored(struct lake *lake, uint64_t batches)
{
	char expected[64];

	(void)snprintf(expected, sizeof(expected), "%d %d\n", (int)batches, (int)batches);
	assert_string_equal(lake_query(lake, "metrics", "", "batches executions"), expected);
}

static size_t log_files(const struct lake *lake)
{
	CLEANUP(freep) char *folder = lake_log_folder(lake);
	DIR *list = opendir(folder);
	size_t count = 0;

	assert_non_null(list);
	for (const struct dirent *entry; (entry = readdir(list));)
		count += entry->d_name[0] != '.';
	closedir(list);
	return count;
}

static int64_t stored_now(struct lake *lake)
{
	struct store_rows *rows = NULL;
	int64_t batches;

	assert_int_equal(store_query_stored(lake->store, "metrics", NULL, 0, &rows, NULL), 0);
	assert_true(store_next(rows));
	batches = store_i64(rows, (size_t)store_column(rows, "batches"));
	store_rows_free(rows);
	return batches;
}

/* While nothing can be written into the database. */
static void batches_are_acknowledged_and_duplicates_known(void **state)
{
	struct lake *lake = *state;
	bool duplicate = false;

	assert_int_equal(send(lake, BATCHES + 1, &duplicate, NULL), 0); /* the ledger is read */
	pthread_mutex_lock(&lake->store->writer);
	send_all(lake);
	assert_int_equal(send(lake, BATCHES, &duplicate, NULL), 0);
	assert_true(duplicate);
	assert_true(stored_now(lake) <= 1);
	pthread_mutex_unlock(&lake->store->writer);
	assert_stored(lake, BATCHES + 1);
	lake_close(lake);
	assert_int_equal(log_files(lake), 0);
	lake_open(lake);
	assert_stored(lake, BATCHES + 1);
	assert_int_equal(send(lake, 1, &duplicate, NULL), 0);
	assert_true(duplicate);
}

static void what_a_kill_leaves_in_the_log_is_stored_once(void **state)
{
	struct lake *lake = *state;
	bool duplicate = false;
	int status;
	pid_t pid;

	lake_close(lake);
	pid = fork();
	if (!pid) {
		lake_open(lake);
		if (send(lake, BATCHES + 1, &duplicate, NULL))
			_exit(2);
		pthread_mutex_lock(&lake->store->writer);
		send_all(lake);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(log_files(lake) > 0);
	for (int i = 0; i < 2; i++) {
		lake_open(lake);
		assert_int_equal(send(lake, 1, &duplicate, NULL), 0);
		assert_true(duplicate);
		assert_stored(lake, BATCHES + 1);
		lake_close(lake);
	}
	lake_open(lake);
}

static void a_backup_has_all_that_was_acknowledged_before(void **state)
{
	struct lake *lake = *state;
	const struct upkeep upkeep = { 0 };
	uint64_t batches = 0;
	char *path = NULL;

	send_all(lake);
	assert_int_equal(upkeep_backup(lake->store, &upkeep, &path, NULL), 0);
	assert_int_equal(upkeep_verify(path, &upkeep, &batches, NULL), 0);
	assert_int_equal(batches, BATCHES);
	free(path);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#define EXECUTIONS 500
#define TEXT       2000

/* Texts that no compression makes smaller. */
static int send_large(struct lake *lake, uint64_t sequence, struct error *err)
{
	static char noise[EXECUTIONS][TEXT];
	struct made made;
	bool duplicate;
	int rc;

	made_init(&made, sequence);
	made_run(&made, "run", 0, -1);
	for (uint32_t i = 0; i < EXECUTIONS; i++) {
		for (size_t k = 0; k < TEXT - 1; k++)
			noise[i][k] = (char)('!' + random() % 90);
		made_execution(&made, (uint32_t)sequence * EXECUTIONS + i, "t", "tool", 0, 1)->cwd =
			noise[i];
	}
	rc = deliver(lake->store, &made.batch, &duplicate, err);
	made_clear(&made);
	return rc;
}

/* DuckDB's log is full long before a file of ours is: what is acknowledged waits; what comes then
 * is refused, and may be sent again. */
static void a_database_without_room_keeps_batches_in_the_log(void **state)
{
	struct lake *lake = *state;
	struct error err = { "" };
	uint64_t sequence = 0;
	char expected[64];
	int rc = 0;

	(void)signal(SIGXFSZ, SIG_IGN);
	limit_files(3 << 20);
	while (!rc && sequence < 1000)
		rc = send_large(lake, ++sequence, &err);
	assert_true(rc == -EIO || rc == -EFBIG);
	assert_true(stored_now(lake) < (int64_t)sequence);
	limit_files(RLIM_INFINITY);
	while (send_large(lake, sequence, &err))
		usleep(100000);
	(void)snprintf(expected, sizeof(expected), "%d %d\n", (int)sequence,
		       (int)sequence * EXECUTIONS);
	assert_string_equal(lake_query(lake, "metrics", "", "batches executions"), expected);
	lake_close(lake);
	lake_open(lake);
	assert_string_equal(lake_query(lake, "metrics", "", "batches executions"), expected);
}

#define MANY       70
#define MANY_TOOLS 1000 /* together more records than a group has */

static void send_many(struct lake *lake)
{
	for (uint64_t i = 1; i <= MANY; i++) {
		struct made made;
		bool duplicate;

		made_init(&made, i);
		for (uint32_t k = 0; k < MANY_TOOLS; k++)
			made_execution(&made, (uint32_t)i * MANY_TOOLS + k, "", "tool", 0, 1);
		assert_int_equal(deliver(lake->store, &made.batch, &duplicate, NULL), 0);
		made_clear(&made);
	}
}

static rlim_t log_of_duckdb(const struct lake *lake)
{
	CLEANUP(freep) char *path = NULL;
	struct stat info = { 0 };

	assert_true(asprintf(&path, "%s.wal", lake->path) > 0);
	(void)stat(path, &info);
	return (rlim_t)info.st_size;
}

/* A store is closed while a large group cannot be written, and a small one behind it can: the large
 * one must stay in the log. */
static void a_group_behind_one_that_is_left_releases_nothing(void **state)
{
	struct lake *lake = *state;
	bool duplicate = false;
	char expected[64];

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(send(lake, MANY + 1, &duplicate, NULL), 0);
	assert_stored(lake, 1);
	pthread_mutex_lock(&lake->store->writer);
	send_many(lake);
	limit_files(log_of_duckdb(lake) + (4 << 20));
	pthread_mutex_unlock(&lake->store->writer);
	lake_close(lake);
	assert_true(log_files(lake) > 0);
	limit_files(RLIM_INFINITY);
	lake_open(lake);
	(void)snprintf(expected, sizeof(expected), "%d %d\n", MANY + 1, MANY * MANY_TOOLS + 1);
	assert_string_equal(lake_query(lake, "metrics", "", "batches executions"), expected);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_logged, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(batches_are_acknowledged_and_duplicates_known),
		TEST(what_a_kill_leaves_in_the_log_is_stored_once),
		TEST(a_backup_has_all_that_was_acknowledged_before),
		TEST(a_database_without_room_keeps_batches_in_the_log),
		TEST(a_group_behind_one_that_is_left_releases_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
