/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_answers.h"

#include "base/file.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/migrate/duckdb_migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

/*
 * Files of earlier versions are brought up to date when they are opened. tests/data/stores holds
 * one of each version, as the program of that time made it from the same recorded runs; from
 * version 5 on their samples are rolled up:
 *     unit_lake_test_migrate FILE.duckdb; zstd -19 --rm FILE.duckdb
 */
#define STORES     TESTS_DIR "/data/stores/"
#define STORE_SIZE (64u << 20)
/* Versions 2 to this one were steps between two releases: no program made files of them. */
#define NEVER_RELEASED 3

static void fill(struct lake *lake)
{
	lake_store_recording(lake, "runs/demo.rec");
	lake_store_recording(lake, "runs/nextflow_failed.rec");
	lake_store_recording(lake, "runs/restarted.rec");
}

static void roll_up(struct lake *lake)
{
	bool more = true;

	while (more)
		assert_int_equal(store_roll_up(lake->store, &more, NULL), 0);
}

static void unpack(const char *from, const char *to)
{
	char *packed = NULL, *bytes = malloc(STORE_SIZE);
	size_t len, size;
	FILE *file;

	assert_non_null(bytes);
	assert_int_equal(file_read(AT_FDCWD, from, STORE_SIZE, &packed, &len), 0);
	size = ZSTD_decompress(bytes, STORE_SIZE, packed, len);
	assert_false(ZSTD_isError(size));
	file = fopen(to, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	free(packed);
	free(bytes);
}

/* Puts the file of a version in place of that of a closed store. */
static void take_store(struct lake *lake, const char *name)
{
	char path[256];

	lake_close(lake);
	snprintf(path, sizeof(path), STORES "%s.duckdb.zst", name);
	unpack(path, lake->path);
}

static struct {
	duckdb_database database;
	duckdb_connection connection;
} raw;

static void look_into(const struct lake *lake)
{
	assert_int_equal(duckdb_open(lake->path, &raw.database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(raw.database, &raw.connection), DuckDBSuccess);
}

static void look_away(void)
{
	duckdb_disconnect(&raw.connection);
	duckdb_close(&raw.database);
}

static void change(const struct lake *lake, const char *sql)
{
	struct error err = { 0 };

	look_into(lake);
	if (duckdb_run(raw.connection, sql, "change", &err))
		fail_msg("%s", error_text(&err));
	look_away();
}

static int64_t number(const char *sql)
{
	duckdb_result result;
	int64_t value = -1;

	if (duckdb_query(raw.connection, sql, &result) == DuckDBSuccess)
		value = duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	return value;
}

static int64_t version_of(const struct lake *lake)
{
	int64_t version;

	look_into(lake);
	version = number("SELECT version FROM schema_version");
	look_away();
	return version;
}

static void a_store_of_each_version_answers_as_one_that_is_made_today(void **state)
{
	struct lake old = { 0 }, *today = *state;
	glob_t found = { 0 };
	char *answers;

	fill(today);
	answers = lake_answers(today);
	lake_make(&old);
	assert_int_equal(glob(STORES "*.duckdb.zst", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		lake_close(&old);
		unpack(found.gl_pathv[i], old.path);
		lake_open(&old);
		assert_answers(&old, answers);
	}
	free(answers);
	globfree(&found);
	lake_close(&old);
	assert_int_equal(version_of(&old), duckdb_last_version(DUCKDB_MIGRATIONS));
	lake_remove(&old);
}

/* Of each version but the newest: this program makes files of that one. */
static void there_is_a_store_of_each_version(void **state)
{
	assert_int_equal(access(STORES "version_1.duckdb.zst", R_OK), 0);
	for (unsigned i = 2; i < duckdb_last_version(DUCKDB_MIGRATIONS); i++) {
		char path[256];

		snprintf(path, sizeof(path), STORES "version_%u.duckdb.zst", i);
		if (i > NEVER_RELEASED && access(path, R_OK))
			fail_msg("there is no %s", path);
	}
}

static void steps_follow_each_other(void **state)
{
	unsigned version = DUCKDB_VERSION_UNMARKED;

	for (const struct duckdb_migration *step = DUCKDB_MIGRATIONS; step->words; step++)
		assert_int_equal(step->version, ++version);
}

static void two_hosts_may_have_batches_with_one_number_in_an_old_store(void **state)
{
	struct lake *lake = *state;
	struct made made;

	take_store(lake, "version_1");
	change(lake, "UPDATE ledger SET host_id = 'other', agent_id = 'agent', boot_id = 'boot', "
		     "sequence = 1 WHERE rowid = (SELECT max(rowid) FROM ledger)");
	lake_open(lake);
	made_init(&made, 1);
	made_run(&made, "run", 0, 1);
	lake_store(lake, &made);
}

static void a_store_without_columns_and_with_long_texts_is_completed(void **state)
{
	struct lake *lake = *state;

	take_store(lake, "version_1");
	change(lake, "ALTER TABLE runs DROP COLUMN trace_id; DROP TABLE gpus; "
		     "UPDATE tasks SET name = repeat('x', 400000); "
		     "UPDATE events SET detail = repeat('x', 400000)");
	lake_open(lake);
	lake_close(lake);
	look_into(lake);
	assert_int_equal(number("SELECT max(length(name)) FROM tasks"), 1000);
	assert_int_equal(number("SELECT max(length(detail)) FROM events"), 1000);
	assert_int_equal(number("SELECT count(*) FROM gpus"), 0);
	assert_int_equal(number("SELECT count(*) FROM runs WHERE trace_id = ''"), 3);
	look_away();
}

static void what_is_stored_of_settled_runs_gets_new_columns(void **state)
{
	struct lake *lake = *state;

	lake_close(lake);
	change(lake, "ALTER TABLE settled_runs DROP COLUMN lock_ns; "
		     "ALTER TABLE settled_series DROP COLUMN lock_ns; "
		     "UPDATE layout SET hash = 'of an earlier program'");
	lake_open(lake);
	lake_close(lake);
	look_into(lake);
	assert_int_equal(number("SELECT count(*) FROM duckdb_columns() WHERE table_name IN "
				"('settled_runs', 'settled_series') AND column_name = 'lock_ns'"),
			 2);
	look_away();
}

static void assert_refused(struct lake *lake, const char *words)
{
	struct store_options options = { .path = lake->path };
	struct error err = { 0 };

	assert_int_equal(store_open(&lake->store, &options, &err), -EINVAL);
	if (!strstr(error_text(&err), words))
		fail_msg("'%s' lacks '%s'", error_text(&err), words);
}

static void a_store_of_a_later_version_is_refused_and_left_alone(void **state)
{
	struct lake *lake = *state;

	lake_close(lake);
	change(lake, "UPDATE schema_version SET version = 1000, program = '9.9.9'");
	assert_refused(lake, "tracer-lake 9.9.9 made the store with schema version 1000");
	assert_refused(lake, "Install tracer-lake 9.9.9 or later");
	assert_int_equal(version_of(lake), 1000);
}

static void a_store_that_does_not_say_its_version_is_refused(void **state)
{
	struct lake *lake = *state;

	lake_close(lake);
	change(lake, "DELETE FROM schema_version");
	assert_refused(lake, "does not say of which version");
}

static void a_database_of_something_else_is_refused_and_left_alone(void **state)
{
	struct lake *lake = *state;

	lake_close(lake);
	unlink(lake->path);
	change(lake, "CREATE TABLE books (title VARCHAR)");
	assert_refused(lake, "a DuckDB database of something else");
	look_into(lake);
	assert_int_equal(number("SELECT count(*) FROM duckdb_tables()"), 1);
	look_away();
}

/* Steps as a program of the future has them: they copy a table some times over. */
static const struct duckdb_migration FUTURE[] = {
	{ 1000, "copies", NULL,
	  "CREATE TABLE copies AS SELECT r.*, a FROM runs AS r, range(20000) AS t(a); "
	  "ALTER TABLE copies ADD COLUMN b BIGINT DEFAULT 7" },
	{ 1001, "replaces", NULL,
	  "CREATE TABLE replaced AS SELECT a, b FROM copies; DROP TABLE copies; "
	  "ALTER TABLE replaced RENAME TO copies" },
	{ 0, NULL, NULL, NULL },
};

static void migrate_until_killed(const struct lake *lake, int begun)
{
	look_into(lake);
	if (write(begun, "", 1) != 1)
		_exit(1);
	_exit(duckdb_migrate(raw.connection, FUTURE, 999, NULL) ? 2 : 0);
}

/* Returns whether the child was killed before it was done. */
static bool migrate_and_kill(const struct lake *lake, useconds_t after_us)
{
	int fds[2], status;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid)
		migrate_until_killed(lake, fds[1]);
	close(fds[1]);
	assert_int_equal(read(fds[0], &byte, 1), 1);
	usleep(after_us);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(fds[0]);
	return WIFSIGNALED(status);
}

/* The file is that of one version, whole: of no step a part. */
static void assert_whole(const struct lake *lake)
{
	int64_t version, rows, columns;

	look_into(lake);
	version = number("SELECT version FROM schema_version");
	rows = number("SELECT count(*) FROM copies");
	columns = number("SELECT count(*) FROM duckdb_columns() WHERE table_name = 'copies'");
	assert_int_equal(number("SELECT count(*) FROM runs"), 3);
	assert_int_equal(rows, version < 1000 ? -1 : 3 * 20000);
	if (version == 1001)
		assert_int_equal(columns, 2);
	else
		assert_int_equal(columns > 2, version == 1000);
	assert_int_equal(number("SELECT count(*) FROM replaced"), -1);
	look_away();
}

static void a_migration_that_is_killed_leaves_a_whole_version_and_goes_on(void **state)
{
	struct lake *lake = *state;
	unsigned version;

	fill(lake);
	lake_close(lake);
	for (useconds_t after_us = 0; migrate_and_kill(lake, after_us); after_us += 50000)
		assert_whole(lake);
	look_into(lake);
	assert_int_equal(duckdb_version_read(raw.connection, 1001, &version, NULL), 0);
	assert_int_equal(duckdb_migrate(raw.connection, FUTURE, version, NULL), 0);
	look_away();
	assert_int_equal(version_of(lake), 1001);
	assert_whole(lake);
}

int main(int argc, char **argv)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_store_of_each_version_answers_as_one_that_is_made_today),
		TEST(there_is_a_store_of_each_version),
		TEST(steps_follow_each_other),
		TEST(two_hosts_may_have_batches_with_one_number_in_an_old_store),
		TEST(a_store_without_columns_and_with_long_texts_is_completed),
		TEST(what_is_stored_of_settled_runs_gets_new_columns),
		TEST(a_store_of_a_later_version_is_refused_and_left_alone),
		TEST(a_store_that_does_not_say_its_version_is_refused),
		TEST(a_database_of_something_else_is_refused_and_left_alone),
		TEST(a_migration_that_is_killed_leaves_a_whole_version_and_goes_on),
	};
	struct lake lake = { 0 };

	if (argc == 1)
		return cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(lake.path, sizeof(lake.path), "%s", argv[1]);
	lake_open(&lake);
	fill(&lake);
	roll_up(&lake);
	lake_close(&lake);
	return 0;
}
