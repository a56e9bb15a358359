/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/command.h"
#include "cli/terminal/output.h"

/* More than a pipe or stdio holds: a write fails before the last one. */
#define LINES 20000

/* A command that writes so many lines to fd; the wait status, and what it says on stderr. */
static int write_lines(int fd, int lines, char *said, size_t size)
{
	FILE *err = tmpfile();
	int status;
	size_t len;
	pid_t child;

	assert_non_null(err);
	(void)fflush(NULL);
	child = fork();
	if (child == 0) {
		if (dup2(fd, STDOUT_FILENO) < 0 || dup2(fileno(err), STDERR_FILENO) < 0)
			_exit(99);
		output_setup();
		for (int i = 0; i < lines; i++)
			printf("line %d of a table\n", i);
		_exit(output_finish(EXIT_DONE));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	rewind(err);
	len = fread(said, 1, size - 1, err);
	said[len] = '\0';
	(void)fclose(err);
	return status;
}

static void a_reader_that_went_away_is_no_failure_to_speak_of(void **state)
{
	static const int counts[] = { 1, LINES };

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		char said[256];
		int ends[2], status;

		assert_int_equal(pipe(ends), 0);
		close(ends[0]);
		status = write_lines(ends[1], counts[i], said, sizeof(said));
		close(ends[1]);
		assert_string_equal(said, "");
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
	}
}

/* As write_lines, of many lines to a file. */
static int write_to(const char *path, char said[256])
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), status;

	assert_true(fd >= 0);
	status = write_lines(fd, LINES, said, 256);
	close(fd);
	return status;
}

static void a_full_disk_is_said(void **state)
{
	char said[256];
	int status = write_to("/dev/full", said);

	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILED);
	assert_string_not_equal(said, "");
}

static void what_can_be_written_keeps_the_status(void **state)
{
	char said[256];
	int status = write_to("/dev/null", said);

	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DONE);
	assert_string_equal(said, "");
}

static void a_program_that_follows_has_the_signal_as_it_was(void **state)
{
	void (*old)(int) = signal(SIGPIPE, SIG_DFL);

	output_setup();
	output_restore();
	assert_true(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
	output_setup();
	output_restore();
	assert_true(signal(SIGPIPE, old) == SIG_IGN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reader_that_went_away_is_no_failure_to_speak_of),
		cmocka_unit_test(a_full_disk_is_said),
		cmocka_unit_test(what_can_be_written_keeps_the_status),
		cmocka_unit_test(a_program_that_follows_has_the_signal_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
