/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "fixture_batch.h"

/* tracer-lake check, compact, backup, restore and forget, with a lake that runs and without one. */

static struct lake lake;
static struct buffer said;

/* The exit status; what it said, on both streams, is in `said`. The lake of the test is at the
 * address, whatever the data folder. */
static int command_on(const char *folder, const char *words)
{
	char line[512], chunk[256];
	size_t len;
	FILE *pipe;
	int status;

	snprintf(line, sizeof(line),
		 "%s %s --data-folder=%s/%s --tokens-folder=%s/tokens --url-file=%s/url "
		 "--listen=127.0.0.1:0 2>&1 </dev/null",
		 TRACER_LAKE, words, lake.folder, folder, lake.folder, lake.folder);
	buffer_reset(&said);
	pipe = popen(line, "re"); // NOLINT(cert-env33-c)
	assert_non_null(pipe);
	while ((len = fread(chunk, 1, sizeof(chunk), pipe)) > 0)
		buffer_append(&said, chunk, len);
	buffer_append_text(&said, "");
	status = pclose(pipe);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int command(const char *words)
{
	return command_on("lake", words);
}

static void assert_said(int status, int expected, const char *words)
{
	if (status != expected || !strstr(said.data, words))
		fail_msg("exit status %d, not %d with '%s': %s", status, expected, words,
			 said.data);
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", lake.folder, name);
	return path;
}

static void send(uint64_t sequence)
{
	struct example example;

	example_make(&example, sequence);
	assert_int_equal(example_post(&lake, &example, NULL), 200);
}

static int setup(void **state)
{
	buffer_init(&said, 0);
	lake_make(&lake);
	lake_start(&lake, NULL);
	send(1);
	return 0;
}

static int teardown(void **state)
{
	buffer_clear(&said);
	return lake_end(&lake);
}

static bool has_run(void)
{
	struct answer answer;
	bool has;

	lake_ask(&lake, "GET", "/api/v1/runs/" EXAMPLE_RUN, lake.read, NULL, NULL, 0, &answer);
	has = answer.status == 200;
	answer_clear(&answer);
	return has;
}

static void everything_works_while_the_lake_runs(void **state)
{
	char words[160];

	assert_said(command("check"), 0, "the store is sound");
	snprintf(words, sizeof(words), "backup %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "has 1 batches, and was read back");
	assert_said(command(words), 1, "is there already");
	assert_said(command("compact"), 0, "the store took");
	assert_said(command("check"), 0, "the store is sound");
	snprintf(words, sizeof(words), "restore %s", path_of("copy.duckdb"));
	assert_said(command(words), 1, "a lake runs here: stop it first");
	assert_said(command("forget --run demo --dry-run"), 0, "would forget ");
	assert_true(has_run());
	assert_said(command("forget --run demo"), 1, "nothing was forgotten");
	assert_true(has_run());
	assert_said(command("forget --run demo --yes"), 0, "forgot ");
	assert_false(has_run());
	assert_said(command("forget --run demo --yes"), 1, "there is no run demo");
}

static void a_lake_of_another_folder_is_not_meant(void **state)
{
	char words[160];

	snprintf(words, sizeof(words), "backup %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "has 1 batches, and was read back");
	send(2);
	assert_said(command_on("try", "check"), 1, "No such file");
	snprintf(words, sizeof(words), "restore %s", path_of("copy.duckdb"));
	assert_said(command_on("try", words), 0, "restored 1 batches");
	assert_said(command_on("try", "check"), 0, "the store is sound");
	assert_said(command_on("try", "forget --run demo --yes"), 0, "forgot ");
	assert_true(has_run());
	assert_said(command(words), 1, "a lake runs here: stop it first");
}

static void everything_works_without_a_lake_and_a_backup_brings_all_back(void **state)
{
	char words[160];

	assert_int_equal(lake_stop(&lake), 0);
	assert_said(command("check"), 0, "the store is sound");
	snprintf(words, sizeof(words), "backup %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "has 1 batches, and was read back");
	assert_said(command("forget --host host-1 --yes"), 0, "forgot ");
	assert_said(command("compact"), 0, "the store took");
	lake_start(&lake, NULL);
	assert_false(has_run());
	assert_int_equal(lake_stop(&lake), 0);
	snprintf(words, sizeof(words), "restore %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "restored 1 batches");
	lake_start(&lake, NULL);
	assert_true(has_run());
	send(2);
}

/* All of the database but its heads. */
static void spoil(const char *path)
{
	FILE *file = fopen(path, "r+e");

	assert_non_null(file);
	for (long at = 12288 + 5000;; at += 1 << 18) {
		int byte;

		assert_int_equal(fseek(file, at, SEEK_SET), 0);
		byte = getc(file);
		if (byte == EOF)
			break;
		assert_int_equal(fseek(file, at, SEEK_SET), 0);
		putc(byte ^ 0xff, file);
	}
	assert_int_equal(fclose(file), 0);
}

static void a_damaged_store_is_refused_and_the_backup_brings_it_back(void **state)
{
	char words[160], data[160], tokens[160];
	const char *const arguments[] = { data, tokens, "--listen=127.0.0.1:0", NULL };
	struct buffer err = { 0 };

	snprintf(words, sizeof(words), "backup %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "was read back");
	assert_int_equal(lake_stop(&lake), 0);
	spoil(path_of("lake/tracer.duckdb"));
	buffer_init(&err, 0);
	snprintf(data, sizeof(data), "--data-folder=%s/lake", lake.folder);
	snprintf(tokens, sizeof(tokens), "--tokens-folder=%s/tokens", lake.folder);
	assert_int_equal(lake_try(&lake, arguments, &err), 1);
	if (!strstr(err.data, "tracer-lake restore FILE"))
		fail_msg("%s", err.data);
	buffer_clear(&err);
	snprintf(words, sizeof(words), "restore %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "restored 1 batches");
	lake_start(&lake, NULL);
	assert_true(has_run());
}

static void what_is_no_backup_replaces_nothing(void **state)
{
	char words[160];
	FILE *file = fopen(path_of("thesis"), "we");

	assert_non_null(file);
	fputs("my thesis, not a database at all", file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(lake_stop(&lake), 0);
	snprintf(words, sizeof(words), "restore %s", path_of("thesis"));
	assert_said(command(words), 1, "no store");
	snprintf(words, sizeof(words), "backup %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "was read back");
	spoil(path_of("copy.duckdb"));
	snprintf(words, sizeof(words), "restore %s", path_of("copy.duckdb"));
	assert_said(command(words), 1, "have a wrong checksum");
	lake_start(&lake, NULL);
	assert_true(has_run());
}

/* The exit status is not looked at: it may be done before it is killed. */
static void restore_and_kill(useconds_t after_us)
{
	char data[160], tokens[160], file[160];
	pid_t pid = fork();

	if (!pid) {
		snprintf(data, sizeof(data), "--data-folder=%s/lake", lake.folder);
		snprintf(tokens, sizeof(tokens), "--tokens-folder=%s/tokens", lake.folder);
		snprintf(file, sizeof(file), "%s/copy.duckdb", lake.folder);
		execl(TRACER_LAKE, TRACER_LAKE, "restore", file, data, tokens,
		      "--listen=127.0.0.1:0", (char *)NULL);
		_exit(127);
	}
	usleep(after_us);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_restore_that_is_killed_is_repeated(void **state)
{
	char words[160];

	snprintf(words, sizeof(words), "backup %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "was read back");
	lake_kill(&lake); /* its log is left */
	for (useconds_t i = 0; i < 4; i++)
		restore_and_kill(50000 + i * 120000);
	snprintf(words, sizeof(words), "restore %s", path_of("copy.duckdb"));
	assert_said(command(words), 0, "restored 1 batches");
	lake_start(&lake, NULL);
	assert_true(has_run());
	assert_said(command("check"), 0, "the store is sound");
}

static void wrong_words_are_refused(void **state)
{
	assert_said(command("forget"), 2, "name what to forget");
	assert_said(command("forget --run a --user b"), 2, "name what to forget");
	assert_said(command("check --run a"), 2, "takes no run");
	assert_said(command("backup"), 2, "name a folder or a file");
	assert_said(command("restore"), 2, "name the file");
	assert_said(command("check --token-file=/dev/null"), 1, "refuses the token");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(everything_works_while_the_lake_runs),
		TEST(a_lake_of_another_folder_is_not_meant),
		TEST(everything_works_without_a_lake_and_a_backup_brings_all_back),
		TEST(a_damaged_store_is_refused_and_the_backup_brings_it_back),
		TEST(what_is_no_backup_replaces_nothing),
		TEST(a_restore_that_is_killed_is_repeated),
		TEST(wrong_words_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
