/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "collect/process/process_phase.h"

#define DOC TESTS_DIR "/../docs/design/states.md"

/* The line of docs/design/states.md for a phase: where each event leads, "–" where it cannot be. */
static void write_line(enum process_phase phase, char *text, size_t size)
{
	size_t len = (size_t)snprintf(text, size, "| %s |", process_phase_name(phase));

	for (int event = 0; event < PROCESS_EVENTS; event++) {
		bool may = process_phase_allows(phase, (enum process_event)event);

		len += (size_t)snprintf(text + len, size - len, " %s |",
					may ? process_phase_name(process_phase_next(
						      phase, (enum process_event)event))
					    : "–");
	}
}

static void the_design_prints_the_table(void **state)
{
	char line[256], *text;
	size_t len;

	assert_int_equal(file_read(AT_FDCWD, DOC, 1 << 20, &text, &len), 0);
	for (int phase = 0; phase < PROCESS_PHASES; phase++) {
		write_line((enum process_phase)phase, line, sizeof(line));
		if (!strstr(text, line))
			fail_msg("docs/design/states.md lacks \"%s\"", line);
	}
	free(text);
}

static void each_phase_is_reached_from_the_first(void **state)
{
	bool reached[PROCESS_PHASES] = { [PHASE_BEGUN] = true };

	for (int round = 0; round < PROCESS_PHASES; round++)
		for (int phase = 0; phase < PROCESS_PHASES; phase++)
			for (int event = 0; reached[phase] && event < PROCESS_EVENTS; event++)
				if (process_phase_allows((enum process_phase)phase,
							 (enum process_event)event))
					reached[process_phase_next((enum process_phase)phase,
								   (enum process_event)event)] =
						true;
	for (int phase = 0; phase < PROCESS_PHASES; phase++)
		assert_true(reached[phase]);
}

static void a_process_ends_once(void **state)
{
	assert_true(process_phase_allows(PHASE_REPORTED, EVENT_END));
	assert_false(process_phase_allows(PHASE_ENDED, EVENT_END));
	assert_false(process_phase_allows(PHASE_UNPLACED, EVENT_END));
}

#ifndef NDEBUG
static void a_transition_that_is_not_in_the_table_ends_a_debug_build(void **state)
{
	const struct rlimit none = { 0, 0 };
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGABRT, SIG_DFL);
		(void)!freopen("/dev/null", "w", stderr);
		process_phase_next(PHASE_ENDED, EVENT_END);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_design_prints_the_table),
		cmocka_unit_test(each_phase_is_reached_from_the_first),
		cmocka_unit_test(a_process_ends_once),
#ifndef NDEBUG
		cmocka_unit_test(a_transition_that_is_not_in_the_table_ends_a_debug_build),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
