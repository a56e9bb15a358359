/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_answers.h"
#include "fixture_sql.h"

#include "base/buffer.h"
#include "lake/duckdb/figures/duckdb_functions.h"
#include "lake/store/settle/store_settle.h"
#include "lake/store/upkeep/upkeep.h"

#include <errno.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Rows that go for their age, and rows that are to be forgotten. */

#define SECRET "/data/patients/SECRET"

/* A run of this user on this host, with everything that a run has. */
static void ingest(struct lake *lake, const char *run, const char *user, const char *host,
		   uint64_t sequence)
{
	struct made made;

	made_init(&made, sequence);
	made.batch.host_id = (char *)(uintptr_t)host;
	made.batch.agent_id = (char *)(uintptr_t)host;
	((Signal__Host *)made_add(&made, "hosts"))->hostname = (char *)(uintptr_t)host;
	made_run(&made, run, 0, 10)->user = (char *)(uintptr_t)user;
	made_task(&made, run, "step", 0, 10)->run_id = (char *)(uintptr_t)run;
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t pid = (uint32_t)sequence * 10 + i;
		Signal__Execution *execution = made_execution(&made, pid, run, "tool", 0, 10);
		Signal__File *file = made_add(&made, "files");

		execution->run_id = (char *)(uintptr_t)run;
		execution->figures->user_ns = 5;
		execution->cwd = SECRET;
		made_sample(&made, pid, run, 0, 10)->figures->user_ns = 5;
		file->pid = pid;
		file->start_ns = pid * UINT64_C(1000);
		file->image_seq = pid;
		file->run_id = (char *)(uintptr_t)run;
		file->task_id = (char *)(uintptr_t)run;
		file->kind = "file";
		file->path = SECRET;
	}
	lake_store(lake, &made);
}

static void settle(struct lake *lake, const char *run)
{
	static const char *const PARTS[] = { "sums", "series" };

	for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++) {
		struct error err = { 0 };
		bool done = false;

		if (store_settle(lake->store, run, PARTS[i], &done, &err))
			fail_msg("settle: %s", error_text(&err));
		assert_true(done);
	}
}

static bool expire(struct lake *lake, const char *kind, double before, const char *archive)
{
	const struct upkeep_expire expire_ = { .kind = kind,
					       .before = T0 + (int64_t)(before * 1e9),
					       .archive_folder = archive };
	struct error err = { 0 };
	bool more = false;

	if (upkeep_expire(lake->store, &expire_, &more, &err))
		fail_msg("expire: %s", error_text(&err));
	return more;
}

static const char *counts(struct lake *lake)
{
	return lake_query(lake, "metrics", "", "runs tasks executions samples");
}

static void assert_sound(struct lake *lake)
{
	struct error err = { 0 };
	struct buffer report;
	size_t faults = 0;

	buffer_init(&report, 0);
	if (upkeep_check(lake->store, &(struct upkeep){ 0 }, &report, &faults, &err))
		fail_msg("check: %s", error_text(&err));
	if (faults)
		fail_msg("%s", report.data);
	buffer_clear(&report);
}

static void samples_of_settled_runs_go_and_their_sums_stay(void **state)
{
	struct lake *lake = *state;
	char *before;

	ingest(lake, "old", "ada", "one", 1);
	ingest(lake, "young", "ada", "one", 2);
	settle(lake, "old");
	before = strdup(lake_query_json(lake, "run", "run=old"));
	assert_string_equal(counts(lake), "2 2 6 6\n");
	assert_sound(lake);
	assert_false(expire(lake, "samples", 5, NULL)); /* it ended later */
	assert_true(expire(lake, "samples", 11, NULL));
	assert_false(expire(lake, "samples", 11, NULL)); /* young is not settled */
	assert_string_equal(counts(lake), "2 2 6 3\n");
	assert_true(expire(lake, "files", 11, NULL));
	assert_true(expire(lake, "processes", 11, NULL));
	assert_string_equal(counts(lake), "2 2 3 3\n");
	assert_string_equal(lake_query_json(lake, "run", "run=old"), before);
	assert_sound(lake);
	free(before);
}

/* How many executions have sums over their samples. */
static void assert_sums(struct lake *lake, const char *count)
{
	lake_close(lake);
	sql_open(lake->path);
	assert_sql("sums", "SELECT count(*) FROM execution_sums", count);
	sql_close();
	lake_open(lake);
}

/* A settled run with an execution that an agent found, of which a sample is rolled up. */
static void store_found(struct lake *lake)
{
	Signal__Execution *execution;
	struct made made;
	bool more;

	made_init(&made, 1);
	made_run(&made, "old", 0, 10);
	execution = made_execution(&made, 1, "", "tool", 0, 10);
	execution->run_id = "old";
	execution->found = true;
	execution->figures->user_ns = 3;
	made_sample(&made, 1, "", 0, 5)->figures->user_ns = 5;
	lake_store(lake, &made);
	assert_int_equal(store_roll_up(lake->store, &more, NULL), 0);
	settle(lake, "old");
}

static void sums_over_samples_go_with_their_executions(void **state)
{
	struct lake *lake = *state;

	store_found(lake);
	assert_true(expire(lake, "samples", 11, NULL));
	assert_sums(lake, "1");
	assert_true(expire(lake, "processes", 11, NULL));
	assert_sums(lake, "0");
	assert_sound(lake);
}

/* The store has an archive in the folder "archive" beside it. */
static void open_with_archive(struct lake *lake, char folder[128])
{
	struct store_options options = { .path = lake->path, .threads = 2 };

	snprintf(folder, 128, "%s/archive", lake->folder);
	lake_close(lake);
	options.archive_folder = folder;
	assert_int_equal(store_open(&lake->store, &options, NULL), 0);
}

static const char *processes(struct lake *lake)
{
	return lake_query(lake, "processes",
			  "run=old task= tool= status= limit=10 cursor=", "pid user_ns");
}

/* Of an execution that an agent found, of which its samples know more than its record. */
static void what_archived_samples_sum_up_to_is_shown(void **state)
{
	struct lake *lake = *state;
	char folder[128];

	open_with_archive(lake, folder);
	store_found(lake);
	assert_string_equal(processes(lake), "1 5\n");
	assert_true(expire(lake, "samples", 11, folder));
	assert_string_equal(processes(lake), "1 5\n");
	assert_true(expire(lake, "processes", 11, folder));
	assert_string_equal(processes(lake), "1 5\n");
}

/* A run of which all rows go to the archive. */
static void archive_run(struct lake *lake)
{
	char folder[128];

	open_with_archive(lake, folder);
	ingest(lake, "run", "ada", "one", 1);
	settle(lake, "run");
	assert_true(expire(lake, "samples", 11, folder));
	assert_true(expire(lake, "files", 11, folder));
	assert_true(expire(lake, "processes", 11, folder));
}

static void what_goes_is_archived_by_day_and_host(void **state)
{
	struct lake *lake = *state;
	char pattern[256];
	glob_t found = { 0 };

	archive_run(lake);
	snprintf(pattern, sizeof(pattern), "%s/archive/*/day=2026-01-01/host=one/run_*.parquet",
		 lake->folder);
	if (glob(pattern, 0, NULL, &found))
		fail_msg("no archive at %s", pattern);
	assert_true(found.gl_pathc >= 2);
	globfree(&found);
}

/* ingest/archive_samples.sql writes the columns that the view has: by both, with execution_key. */
static void archived_samples_have_the_columns_of_the_view(void **state)
{
	static const char sql[] =
		"SELECT string_agg(name, ' ') FROM (SELECT name FROM (SELECT column_name AS name "
		"FROM (DESCRIBE FROM read_parquet('%s/archive/samples/*/*/*.parquet', hive_partitioning = "
		"false)) UNION ALL SELECT column_name FROM (DESCRIBE FROM samples)) GROUP BY name "
		"HAVING count(*) < 2)";
	struct lake *lake = *state;
	char statement[sizeof(sql) + sizeof(lake->folder)], *only;
	duckdb_connection connection;
	duckdb_database database;
	duckdb_result result;

	archive_run(lake);
	snprintf(statement, sizeof(statement), sql, lake->folder);
	lake_close(lake);
	assert_int_equal(duckdb_open(lake->path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	assert_int_equal(duckdb_functions_register(connection, NULL), 0);
	if (duckdb_query(connection, statement, &result) == DuckDBError)
		fail_msg("%s", duckdb_result_error(&result));
	only = duckdb_value_varchar(&result, 0, 0);
	assert_string_equal(only ? only : "", "execution_key");
	duckdb_free(only);
	duckdb_destroy_result(&result);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
}

static struct upkeep_counts forget(struct lake *lake, struct upkeep_subject subject, bool dry)
{
	struct upkeep_counts result = { 0 };
	struct error err = { 0 };

	if (upkeep_forget(lake->store, &subject, dry, &result, &err))
		fail_msg("forget: %s", error_text(&err));
	return result;
}

static void fill(struct lake *lake)
{
	ingest(lake, "a", "ada", "one", 1);
	ingest(lake, "b", "bob", "one", 2);
	ingest(lake, "c", "bob", "two", 3);
	settle(lake, "a");
}

static void a_run_is_forgotten_with_all_its_rows(void **state)
{
	struct lake *lake = *state;
	struct upkeep_counts would, did;

	fill(lake);
	would = forget(lake, (struct upkeep_subject){ .run = "a" }, true);
	assert_string_equal(counts(lake), "3 3 9 9\n");
	did = forget(lake, (struct upkeep_subject){ .run = "a" }, false);
	assert_memory_equal(&would, &did, sizeof(did));
	assert_int_equal(did.runs, 1);
	assert_true(did.rows > 10);
	assert_string_equal(counts(lake), "2 2 6 6\n");
	assert_string_equal(lake_query(lake, "resolve", "run=a reader=", "id"), "");
}

static void a_user_is_forgotten_with_all_runs(void **state)
{
	struct lake *lake = *state;

	fill(lake);
	assert_int_equal(forget(lake, (struct upkeep_subject){ .user = "bob" }, false).runs, 2);
	assert_string_equal(counts(lake), "1 1 3 3\n");
	assert_int_equal(forget(lake, (struct upkeep_subject){ .user = "b'ob" }, false).rows, 0);
}

static void a_host_is_forgotten_and_may_come_back(void **state)
{
	struct lake *lake = *state;
	struct upkeep_counts did;

	fill(lake);
	did = forget(lake, (struct upkeep_subject){ .host = "one" }, false);
	assert_int_equal(did.runs, 2);
	assert_int_equal(did.batches, 2);
	assert_string_equal(counts(lake), "1 1 3 3\n");
	ingest(lake, "a", "ada", "one", 1); /* no duplicate */
	lake_close(lake);                   /* fewer batches than were acknowledged: by intent */
	lake_open(lake);
	ingest(lake, "b", "bob", "one", 2);
	assert_string_equal(counts(lake), "3 3 9 9\n");
}

/* Bytes of the secret in the file. */
static size_t occurrences(const char *path, const char *text)
{
	FILE *file = fopen(path, "re");
	size_t len = strlen(text), at = 0, found = 0;
	int byte;

	assert_non_null(file);
	while ((byte = getc(file)) != EOF) {
		at = byte == text[at] ? at + 1 : byte == text[0];
		if (at == len) {
			found++;
			at = 0;
		}
	}
	assert_int_equal(fclose(file), 0);
	return found;
}

static void nothing_of_what_is_forgotten_is_left_in_a_compacted_file(void **state)
{
	struct lake *lake = *state;
	struct upkeep_sizes sizes;
	struct error err = { 0 };

	fill(lake);
	lake_close(lake);
	assert_true(occurrences(lake->path, SECRET) > 0);
	lake_open(lake);
	forget(lake, (struct upkeep_subject){ .user = "ada" }, false);
	forget(lake, (struct upkeep_subject){ .user = "bob" }, false);
	if (upkeep_compact(lake->store, &(struct upkeep){ 0 }, &sizes, &err))
		fail_msg("compact: %s", error_text(&err));
	lake_close(lake);
	assert_int_equal(occurrences(lake->path, SECRET), 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(samples_of_settled_runs_go_and_their_sums_stay),
		TEST(sums_over_samples_go_with_their_executions),
		TEST(what_archived_samples_sum_up_to_is_shown),
		TEST(what_goes_is_archived_by_day_and_host),
		TEST(archived_samples_have_the_columns_of_the_view),
		TEST(a_run_is_forgotten_with_all_its_rows),
		TEST(a_user_is_forgotten_with_all_runs),
		TEST(a_host_is_forgotten_and_may_come_back),
		TEST(nothing_of_what_is_forgotten_is_left_in_a_compacted_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
