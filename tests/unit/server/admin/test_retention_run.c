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
#include "base/file.h"
#include "fixture_batch.h"
#include "lake/store/settle/store_settle.h"
#include "lake/store/store.h"
#include "server/admin/retention.h"

/* Which rows go by the settings: for their age, or for the size of the lake. */

#define HOURS_AGO 3

static char folder[64], path[96];
static struct store *store;

/* The example, some hours ago. */
static void make_old(struct example *example)
{
	const int64_t back_ns = (int64_t)(HOURS_AGO * 3600 * NS_PER_S);

	example_make(example, 1);
	example->batch.created_at -= back_ns;
	example->batch.n_host_samples = 0;
	example->run.started_at -= back_ns;
	example->run.ended_at -= back_ns;
	for (int i = 0; i < EXAMPLE_TASKS; i++) {
		example->tasks[i].started_at -= back_ns;
		example->tasks[i].ended_at -= back_ns;
	}
	for (int i = 0; i < EXAMPLE_EXECUTIONS; i++) {
		example->executions[i].started_at -= back_ns;
		example->executions[i].ended_at -= back_ns;
	}
	for (int i = 0; i < EXAMPLE_SAMPLES; i++) {
		example->samples[i].since_at -= back_ns;
		example->samples[i].until_at -= back_ns;
	}
}

static int setup(void **state)
{
	static const char *const PARTS[] = { "sums", "series" };
	struct store_options options = { .path = path, .threads = 2 };
	struct error err = { "" };
	struct example example;
	bool done = false;

	snprintf(folder, sizeof(folder), "/tmp/tracer-retention-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/tracer.duckdb", folder);
	if (store_open(&store, &options, &err))
		fail_msg("%s", error_text(&err));
	make_old(&example);
	if (store_ingest(store, &example.batch, &done, &err))
		fail_msg("%s", error_text(&err));
	for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++) {
		if (store_settle(store, EXAMPLE_RUN, PARTS[i], &done, &err))
			fail_msg("%s", error_text(&err));
		assert_true(done);
	}
	return 0;
}

static int teardown(void **state)
{
	store_close(store);
	return file_remove_tree(folder);
}

static int64_t count_of(const char *column)
{
	struct store_rows *rows = NULL;
	int64_t count;

	assert_int_equal(store_query(store, "metrics", NULL, 0, &rows, NULL), 0);
	assert_true(store_next(rows));
	count = store_i64(rows, (size_t)store_column(rows, column));
	store_rows_free(rows);
	return count;
}

static bool goes_on(void *context)
{
	return false;
}

static void run(uint64_t keep_samples_h, uint64_t keep_processes_h, uint64_t keep_bytes)
{
	const struct settings settings = { .data_folder = folder,
					   .archive_folder = (char *)"",
					   .keep_samples_ns = keep_samples_h * 3600 * NS_PER_S,
					   .keep_processes_ns = keep_processes_h * 3600 * NS_PER_S,
					   .keep_bytes = keep_bytes };

	assert_false(retention_by_age(store, &settings, &(struct upkeep){ .stopped = goes_on }));
	retention_by_size(store, &settings, &(struct upkeep){ .stopped = goes_on });
}

static void rows_go_when_they_are_older_than_they_are_kept(void **state)
{
	run(0, 0, 0); /* for ever, and of any size */
	run(HOURS_AGO + 1, HOURS_AGO + 1, UINT64_C(1) << 40);
	assert_int_equal(count_of("samples"), EXAMPLE_SAMPLES);
	run(HOURS_AGO - 1, HOURS_AGO + 1, 0);
	assert_int_equal(count_of("samples"), 0);
	assert_int_equal(count_of("executions"), EXAMPLE_EXECUTIONS);
	run(HOURS_AGO - 1, HOURS_AGO - 1, 0);
	assert_int_equal(count_of("executions"), 0);
	assert_int_equal(count_of("tasks"), EXAMPLE_TASKS);
}

static void rows_go_when_the_lake_takes_too_much(void **state)
{
	run(0, 0, 1);
	assert_int_equal(count_of("samples"), 0);
	assert_int_equal(count_of("executions"), 0);
	assert_int_equal(count_of("runs"), 1);
	assert_int_equal(count_of("tasks"), EXAMPLE_TASKS);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(rows_go_when_they_are_older_than_they_are_kept),
		TEST(rows_go_when_the_lake_takes_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
