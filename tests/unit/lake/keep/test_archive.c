/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_answers.h"

#include "base/file.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/settle/store_settle.h"
#include "lake/store/upkeep/upkeep.h"

#include <errno.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Rows that retention moved to the archive are still found, checked and forgotten. */

#define PROCESSES 3

static char folder[96];

#define literal(text) ((char *)(uintptr_t)(text))

static void open_lake(struct lake *lake)
{
	const struct store_options options = { .path = lake->path,
					       .threads = 2,
					       .archive_folder = folder };
	struct error err = { 0 };

	lake_close(lake);
	if (store_open(&lake->store, &options, &err))
		fail_msg("%s", error_text(&err));
}

static int setup(void **state)
{
	struct lake *lake;
	int rc = lake_setup(state);

	lake = *state;
	snprintf(folder, sizeof(folder), "%s/archive", lake->folder);
	open_lake(lake);
	return rc;
}

static void add_process(struct made *made, const char *run, uint32_t pid)
{
	Signal__Execution *execution = made_execution(made, pid, run, "tool", 0, 10);
	Signal__File *file = made_add(made, "files");
	Signal__Network *network = made_add(made, "networks");
	Signal__Sample *sample = made_sample(made, pid, run, 0, 10);

	execution->run_id = sample->run_id = file->run_id = network->run_id = literal(run);
	sample->figures->user_ns = 5;
	file->pid = network->pid = pid;
	file->start_ns = network->start_ns = execution->start_ns;
	file->image_seq = network->image_seq = execution->image_seq;
	file->task_id = network->task_id = literal(run);
	file->kind = literal("file");
	file->path = literal("/data/reads.fq");
	file->opens = 1;
	file->first_at = file->last_at = T0 + pid * S;
	network->family = literal("inet");
	network->protocol = literal("tcp");
	network->rx_bytes = pid;
}

/* A run of a host, which has ended and is settled. */
static void make_run(struct lake *lake, const char *run, const char *host, uint64_t sequence)
{
	static const char *const PARTS[] = { "sums", "series" };
	struct made made;
	bool done = false;

	made_init(&made, sequence);
	made.batch.host_id = made.batch.agent_id = literal(host);
	made_run(&made, run, 0, 10)->user = literal("ada");
	made_task(&made, run, "step", 0, 10)->run_id = literal(run);
	for (uint32_t i = 0; i < PROCESSES; i++)
		add_process(&made, run, (uint32_t)sequence * 10 + i);
	lake_store(lake, &made);
	for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++)
		assert_int_equal(store_settle(lake->store, run, PARTS[i], &done, NULL), 0);
}

/* Of all runs, to the archive. */
static void expire(struct lake *lake, const char *kind)
{
	const struct upkeep_expire expire_ = { .kind = kind,
					       .before = T0 + 11 * S,
					       .archive_folder = folder };
	struct error err = { 0 };

	for (bool more = true; more;)
		if (upkeep_expire(lake->store, &expire_, &more, &err))
			fail_msg("expire: %s", error_text(&err));
}

static void expire_all(struct lake *lake)
{
	expire(lake, "samples");
	expire(lake, "files");
	expire(lake, "processes");
	assert_string_equal(lake_query(lake, "metrics", "", "executions samples"), "0 0\n");
}

#define PAGES 4
static const char *const PAGE[PAGES][3] = {
	{ "processes", "run=%s task= tool= status= limit=100 cursor=", "pid tool host_id user_ns" },
	{ "files", "run=%s task= tool= kind= limit=100 cursor=", "path opens pid tool" },
	{ "networks", "run=%s task= tool= limit=100", "rx_bytes pid tool" },
	{ "samples", "run=%s by=run interval_s=3", "at user_ns" },
};

/* What pages about processes of a run show; freed by the caller. */
static char *pages_of(struct lake *lake, const char *run)
{
	struct buffer text;

	buffer_init(&text, 0);
	for (size_t i = 0; i < PAGES; i++) {
		char params[96];

		snprintf(params, sizeof(params), PAGE[i][1], run); // NOLINT
		buffer_append_text(&text, lake_query(lake, PAGE[i][0], params, PAGE[i][2]));
	}
	return text.data;
}

static void assert_pages(struct lake *lake, const char *run, const char *expected)
{
	char *now = pages_of(lake, run);

	assert_string_equal(now, expected);
	free(now);
}

static size_t count_files(const char *pattern, char first[256])
{
	char full[256];
	glob_t found = { 0 };
	size_t count;

	snprintf(full, sizeof(full), "%s/%s", folder, pattern);
	if (glob(full, 0, NULL, &found))
		return 0;
	count = found.gl_pathc;
	if (first)
		snprintf(first, 256, "%s", found.gl_pathv[0]);
	globfree(&found);
	return count;
}

static void assert_check(struct lake *lake, const char *words)
{
	struct error err = { 0 };
	struct buffer report;
	size_t faults = 0;

	buffer_init(&report, 0);
	if (upkeep_check(lake->store, &(struct upkeep){ 0 }, &report, &faults, &err))
		fail_msg("check: %s", error_text(&err));
	if (words ? faults != 1 || !strstr(report.data, words) : faults > 0)
		fail_msg("%zu faults, wanted '%s': %s", faults, words ? words : "", report.data);
	buffer_clear(&report);
}

static void pages_show_rows_that_are_in_the_archive(void **state)
{
	struct lake *lake = *state;
	struct upkeep_sizes sizes;
	char *before, *other;

	make_run(lake, "run/1 it's", "one", 1);
	make_run(lake, "other", "h/o's t", 2);
	before = pages_of(lake, "other");
	assert_non_null(strstr(before, "/data/reads.fq"));
	expire_all(lake);
	assert_int_equal(count_files("*/day=2026-01-01/host=*/run_*.parquet", NULL), 8);
	assert_pages(lake, "other", before);
	other = strdup(lake_query_json(lake, "run", "run=other"));
	assert_int_equal(upkeep_compact(lake->store, &(struct upkeep){ 0 }, &sizes, NULL), 0);
	open_lake(lake);
	assert_pages(lake, "other", before);
	assert_string_equal(lake_query_json(lake, "run", "run=other"), other);
	assert_check(lake, NULL);
	free(other);
	free(before);
}

static void a_lake_without_its_archive_shows_what_it_has(void **state)
{
	struct lake *lake = *state;

	make_run(lake, "run", "one", 1);
	expire_all(lake);
	folder[0] = '\0';
	open_lake(lake);
	assert_string_equal(lake_query(lake, "processes",
				       "run=run task= tool= status= limit=10 cursor=", "pid"),
			    "");
	assert_check(lake, "archive-folder does not say where");
}

static void assert_page_fails(struct lake *lake, const char *words)
{
	struct store_rows *rows = NULL;
	struct error err = { 0 };

	assert_int_equal(lake_try_query(lake, "files",
					"run=run task= tool= kind= limit=10 cursor=", &rows, &err),
			 -EREMOTEIO);
	if (!strstr(error_text(&err), words))
		fail_msg("%s", error_text(&err));
}

static void a_file_that_is_missing_or_damaged_is_named_and_can_be_put_back(void **state)
{
	struct lake *lake = *state;
	char path[256], aside[300], *before;

	make_run(lake, "run", "one", 1);
	before = pages_of(lake, "run");
	expire_all(lake);
	assert_int_equal(count_files("files/*/*/*", path), 1);
	snprintf(aside, sizeof(aside), "%s.aside", path);
	assert_int_equal(rename(path, aside), 0);
	assert_page_fails(lake, strstr(path, "files/day="));
	assert_check(lake, "put it back, or forget its run");
	assert_true(*lake_query_json(lake, "run", "run=run")); /* does not look at it */
	assert_int_equal(file_write(path, "PAR1 and no more", 16, 0600, NULL), 0);
	assert_page_fails(lake, "tracer-lake check names the files");
	assert_check(lake, "is damaged: put a copy of it back");
	assert_string_equal(lake_query(lake, "processes",
				       "run=run task= tool= status= limit=10 cursor=", "pid"),
			    "10\n11\n12\n");
	assert_int_equal(rename(aside, path), 0);
	assert_check(lake, NULL);
	assert_pages(lake, "run", before);
	free(before);
}

static uint64_t forget(struct lake *lake, struct upkeep_subject subject, bool dry)
{
	struct upkeep_counts counts = { 0 };
	struct error err = { 0 };

	if (upkeep_forget(lake->store, &subject, dry, &counts, &err))
		fail_msg("forget: %s", error_text(&err));
	return counts.rows;
}

/* As a lake leaves it that is killed before it lists the file. */
static void leave_unlisted(void)
{
	char path[256], other[300];

	assert_int_equal(count_files("files/*/host=one/*.parquet", path), 1);
	snprintf(other, sizeof(other), "%.*snew", (int)(strlen(path) - strlen("parquet")), path);
	assert_int_equal(link(path, other), 0);
	assert_int_equal(count_files("files/*/host=one/*", NULL), 2);
}

static void what_is_forgotten_goes_from_the_archive(void **state)
{
	struct lake *lake = *state;
	uint64_t rows;

	make_run(lake, "a", "one", 1);
	make_run(lake, "b", "two", 2);
	expire_all(lake);
	leave_unlisted();
	rows = forget(lake, (struct upkeep_subject){ .run = "a" }, true);
	assert_true(rows > 4 * PROCESSES);
	assert_int_equal(count_files("*/*/host=one/*", NULL), 5);
	assert_int_equal(forget(lake, (struct upkeep_subject){ .run = "a" }, false), rows);
	assert_int_equal(count_files("*/*/host=one", NULL), 0);
	assert_int_equal(count_files("*/*/host=two/*", NULL), 4);
	assert_check(lake, NULL);
	forget(lake, (struct upkeep_subject){ .host = "two" }, false);
	assert_int_equal(count_files("*/*", NULL), 0);
	make_run(lake, "c", "one", 3);
	expire_all(lake);
	forget(lake, (struct upkeep_subject){ .user = "ada" }, false);
	assert_int_equal(count_files("*/*", NULL), 0);
	assert_check(lake, NULL);
}

static void nothing_is_forgotten_where_the_archive_is_not_known(void **state)
{
	const struct upkeep_subject subject = { .run = "run" };
	struct upkeep_counts counts = { 0 };
	struct lake *lake = *state;
	struct error err = { 0 };

	make_run(lake, "run", "one", 1);
	expire_all(lake);
	folder[0] = '\0';
	open_lake(lake);
	assert_int_equal(upkeep_forget(lake->store, &subject, false, &counts, &err), -EINVAL);
	assert_non_null(strstr(error_text(&err), "archive-folder"));
	assert_string_equal(lake_query(lake, "metrics", "", "runs"), "1\n");
}

/* A store of before the rows went, as from a backup: it archives them again. */
static void rows_that_are_archived_twice_are_there_once(void **state)
{
	struct lake *lake = *state;
	char copy[128], command[320], *before;

	make_run(lake, "run", "one", 1);
	before = pages_of(lake, "run");
	lake_close(lake);
	snprintf(copy, sizeof(copy), "%s.copy", lake->path);
	snprintf(command, sizeof(command), "cp %s %s", lake->path, copy);
	assert_int_equal(system(command), 0); // NOLINT(cert-env33-c)
	open_lake(lake);
	expire_all(lake);
	lake_close(lake);
	assert_int_equal(rename(copy, lake->path), 0);
	snprintf(command, sizeof(command), "%s.batches", lake->path);
	unlink(command);
	open_lake(lake);
	assert_pages(lake, "run", before);
	expire_all(lake);
	assert_int_equal(count_files("*/*/*/*", NULL), 4);
	assert_pages(lake, "run", before);
	free(before);
}

static int64_t number(duckdb_connection connection, const char *sql)
{
	duckdb_result result;
	int64_t value;

	if (duckdb_query(connection, sql, &result) == DuckDBError)
		fail_msg("%s: %s", sql, duckdb_result_error(&result));
	value = duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	return value;
}

/* As docs/operate.md shows it, with DuckDB alone. */
static void who_reads_the_store_by_sql_finds_all_rows(void **state)
{
	static const char *const KINDS[] = { "files", "executions", "networks" };
	duckdb_connection connection;
	duckdb_database database;
	struct lake *lake = *state;
	char sql[256];

	make_run(lake, "old", "one", 1);
	expire_all(lake);
	make_run(lake, "young", "one", 2);
	lake_close(lake);
	assert_int_equal(duckdb_open(lake->path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++) {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM all_%s('%s')", KINDS[i], folder);
		assert_int_equal(number(connection, sql), 6);
	}
	snprintf(sql, sizeof(sql), "SELECT sum(user_ns)::BIGINT FROM archived_samples('%s')",
		 folder);
	assert_int_equal(number(connection, sql), 15);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
}

static void a_folder_that_statements_cannot_name_is_refused(void **state)
{
	struct lake *lake = *state;
	struct store_options options = { .path = lake->path, .archive_folder = "/tmp/it's" };
	struct error err = { 0 };

	lake_close(lake);
	assert_int_equal(store_open(&lake->store, &options, &err), -EINVAL);
	assert_non_null(strstr(error_text(&err), "archive-folder: /tmp/it's"));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(pages_show_rows_that_are_in_the_archive),
		TEST(a_lake_without_its_archive_shows_what_it_has),
		TEST(a_file_that_is_missing_or_damaged_is_named_and_can_be_put_back),
		TEST(what_is_forgotten_goes_from_the_archive),
		TEST(nothing_is_forgotten_where_the_archive_is_not_known),
		TEST(rows_that_are_archived_twice_are_there_once),
		TEST(who_reads_the_store_by_sql_finds_all_rows),
		TEST(a_folder_that_statements_cannot_name_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
