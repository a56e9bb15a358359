/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One store, a writer and readers at once, as in the server. Threads do not assert: cmocka's
 * asserts jump, which only the main thread may. */

#define READERS   3
#define WRITERS   2
#define BATCHES   15 /* of each writer */
#define PER_BATCH 20

static struct lake lake;
static atomic_bool writing;
static atomic_uint faults, answers;

static void *write_batches(void *context)
{
	const char *agent = context;

	for (uint64_t sequence = 1; sequence <= BATCHES; sequence++) {
		struct made made;
		bool duplicate;

		made_init(&made, sequence);
		made.batch.agent_id = made.batch.host_id = (char *)(uintptr_t)agent;
		made_run(&made, "run", 0, -1);
		for (uint32_t i = 0; i < PER_BATCH; i++)
			made_execution(&made, (uint32_t)sequence * PER_BATCH + i, "t", "tool", 0, 1)
				->figures->user_ns = 1;
		if (store_ingest(lake.store, &made.batch, &duplicate, NULL) || duplicate)
			faults++;
		made_clear(&made);
	}
	return NULL;
}

/* A reader sees whole batches: executions come by twenties, and the sum is over those it counts. */
static void check_totals(void)
{
	struct store_param param = { .name = "run", .type = STORE_TEXT, .text = "run" };
	struct store_rows *rows = NULL;

	if (store_query(lake.store, "run", &param, 1, &rows, NULL)) {
		faults++;
		return;
	}
	while (store_next(rows)) {
		int64_t executions = store_i64(rows, (size_t)store_column(rows, "executions"));

		if (executions % PER_BATCH ||
		    executions != store_i64(rows, (size_t)store_column(rows, "user_ns")))
			faults++;
		answers++;
	}
	store_rows_free(rows);
}

static void *read_totals(void *context)
{
	while (writing)
		check_totals();
	return NULL;
}

static void readers_see_whole_batches_while_writers_write(void **state)
{
	static char *const agents[WRITERS] = { "a", "b" };
	pthread_t writers[WRITERS], readers[READERS];

	lake_make(&lake);
	writing = true;
	for (size_t i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, read_totals, NULL), 0);
	for (size_t i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_create(&writers[i], NULL, write_batches, agents[i]), 0);
	for (size_t i = 0; i < WRITERS; i++)
		pthread_join(writers[i], NULL);
	writing = false;
	for (size_t i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	assert_int_equal(faults, 0);
	assert_true(answers > 0);
	assert_string_equal(lake_query(&lake, "run", "run=run", "executions user_ns"), "600 600\n");
	lake_remove(&lake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_see_whole_batches_while_writers_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
