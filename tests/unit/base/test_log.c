/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"

/* What stderr received since begin_capture(). */
static int saved_stderr = -1, pipe_fds[2];
static char captured[8192];

static void begin_capture(void)
{
	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC | O_NONBLOCK), 0);
	saved_stderr = dup(STDERR_FILENO);
	dup2(pipe_fds[1], STDERR_FILENO);
}

static const char *end_capture(void)
{
	ssize_t len;

	fflush(stderr);
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(pipe_fds[1]);
	len = read(pipe_fds[0], captured, sizeof(captured) - 1);
	close(pipe_fds[0]);
	captured[len > 0 ? len : 0] = '\0';
	return captured;
}

static void a_service_logs_time_level_and_message(void **state)
{
	const char *line;

	log_setup("tracer", LOG_LEVEL_INFO);
	begin_capture();
	log_warning("the lake answered %d", 503);
	line = end_capture();
	assert_int_equal(strlen(line),
			 strlen("2026-11-21T06:30:00.000000Z warning the lake answered 503\n"));
	assert_string_equal(line + 27, " warning the lake answered 503\n");
	assert_int_equal(line[26], 'Z');
}

static void lines_above_the_level_are_dropped(void **state)
{
	log_setup("tracer", LOG_LEVEL_WARNING);
	begin_capture();
	log_info("no");
	log_debug("no");
	log_error("yes");
	assert_non_null(strstr(end_capture(), " error yes\n"));
	assert_null(strstr(captured, "no"));
}

static void what_a_process_calls_itself_writes_no_lines_of_its_own(void **state)
{
	log_setup("tracer", LOG_LEVEL_INFO);
	begin_capture();
	log_info("saw %s", "a\nb\033[2Jc");
	assert_non_null(strstr(end_capture(), "saw a?b?[2Jc\n"));
}

static void a_long_line_is_cut(void **state)
{
	char text[5000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	begin_capture();
	log_error("%s", text);
	assert_in_range(strlen(end_capture()), 2000, 2100);
	assert_int_equal(captured[strlen(captured) - 1], '\n');
}

static void a_person_at_a_terminal_reads_program_and_message(void **state)
{
	CLEANUP(closep) int terminal = posix_openpt(O_RDWR | O_NOCTTY), line = -1;
	int saved = dup(STDERR_FILENO);
	char text[64] = "";

	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	line = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(line >= 0);
	dup2(line, STDERR_FILENO);
	log_setup("tracer", LOG_LEVEL_INFO);
	log_error("no BTF");
	dup2(saved, STDERR_FILENO);
	close(saved);
	assert_true(read(terminal, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "tracer: no BTF\r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_service_logs_time_level_and_message),
		cmocka_unit_test(lines_above_the_level_are_dropped),
		cmocka_unit_test(what_a_process_calls_itself_writes_no_lines_of_its_own),
		cmocka_unit_test(a_long_line_is_cut),
		cmocka_unit_test(a_person_at_a_terminal_reads_program_and_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
