/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

/* A disk without room: files may not grow beyond a limit (RLIMIT_FSIZE), later they may again. */

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#define EXECUTIONS 2000 /* of a batch */

/* Texts that no compression makes smaller, so that the database grows, too. DuckDB empties its log
 * behind so much of it (duckdb_log.h). */
static char noise[EXECUTIONS][2000];

static void make_noise(void)
{
	for (size_t i = 0; i < EXECUTIONS; i++)
		for (size_t k = 0; k < sizeof(noise[i]) - 1; k++)
			noise[i][k] = (char)('!' + random() % 90);
}

static int ingest(struct lake *lake, uint64_t sequence, struct error *err)
{
	bool duplicate = false;
	struct made made;
	int rc;

	made_init(&made, sequence);
	made_run(&made, "run", 0, -1);
	make_noise();
	for (uint32_t i = 0; i < EXECUTIONS; i++)
		made_execution(&made, (uint32_t)sequence * EXECUTIONS + i, "t", "tool", 0, 1)->cwd =
			noise[i];
	rc = store_ingest(lake->store, &made.batch, &duplicate, err);
	made_clear(&made);
	return rc;
}

static void assert_there(struct lake *lake, uint64_t batches)
{
	char expected[64];

	snprintf(expected, sizeof(expected), "%d %d\n", (int)batches, (int)batches * EXECUTIONS);
	assert_string_equal(lake_query(lake, "metrics", "", "batches executions"), expected);
}

/* Ingests until the disk is full, makes room, goes on; nothing may be missing, nothing twice. */
static void fill_up(rlim_t bytes, const char *words)
{
	uint64_t sequence = 0;
	struct error err = { 0 };
	struct lake lake;
	int rc = 0;

	signal(SIGXFSZ, SIG_IGN);
	lake_make(&lake);
	limit_files(bytes);
	while (!rc && sequence < 1000)
		rc = ingest(&lake, ++sequence, &err);
	/* To be sent again later, not to be thrown away. */
	assert_int_equal(rc, -EIO);
	if (!strstr(error_text(&err), words))
		fail_msg("'%s' lacks '%s'", error_text(&err), words);
	for (int i = 0; i < 3; i++)
		assert_true(ingest(&lake, sequence, &err) < 0);
	limit_files(RLIM_INFINITY);
	assert_int_equal(ingest(&lake, sequence, &err), 0);
	assert_there(&lake, sequence);
	assert_int_equal(ingest(&lake, ++sequence, &err), 0);
	lake_close(&lake);
	lake_open(&lake);
	assert_there(&lake, sequence);
	lake_remove(&lake);
}

static void a_log_without_room_refuses_batches_and_keeps_those_acknowledged(void **state)
{
	fill_up(1 << 20, "commit");
}

/* DuckDB itself gives up then ("database has been invalidated"), once the batches are acknowledged;
 * then the log grows, until there is no room for it, too. */
static void a_checkpoint_without_room_stops_nothing_for_good(void **state)
{
	fill_up(80 << 20, "commit");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_without_room_refuses_batches_and_keeps_those_acknowledged),
		cmocka_unit_test(a_checkpoint_without_room_stops_nothing_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
