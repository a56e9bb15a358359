/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "correlate/model/run_state.h"
#include "correlate/model/task_state.h"

#define DOC TESTS_DIR "/../docs/design/states.md"

/* A table of states, whichever enum it is of. */
struct machine {
	int states;
	bool (*allows)(int from, int to);
	const char *(*name)(int state);
	bool (*is_reported)(int state);
};

static bool task_allows(int from, int to)
{
	return task_state_allows((enum task_state)from, (enum task_state)to);
}

static const char *task_name(int state)
{
	return task_state_name((enum task_state)state);
}

static bool task_reported(int state)
{
	return task_state_is_reported((enum task_state)state);
}

static bool run_allows(int from, int to)
{
	return run_state_allows((enum run_state)from, (enum run_state)to);
}

static const char *run_name(int state)
{
	return run_state_name((enum run_state)state);
}

static bool run_reported(int state)
{
	return run_state_is_reported((enum run_state)state);
}

static const struct machine machines[] = {
	{ TASK_STATES, task_allows, task_name, task_reported },
	{ RUN_STATES, run_allows, run_name, run_reported },
};

#define MACHINES (sizeof(machines) / sizeof(*machines))

/* The line of docs/design/states.md for a state: the states that can follow it. */
static void write_line(const struct machine *machine, int from, char *text, size_t size)
{
	size_t len = (size_t)snprintf(text, size, "| %s | %s |", machine->name(from),
				      machine->is_reported(from) ? "yes" : "no");
	bool none = true;

	for (int to = 0; to < machine->states; to++) {
		if (!machine->allows(from, to))
			continue;
		len += (size_t)snprintf(text + len, size - len, "%s%s", none ? " " : "; ",
					machine->name(to));
		none = false;
	}
	(void)snprintf(text + len, size - len, none ? " – |" : " |");
}

static void the_design_prints_the_tables(void **state)
{
	char line[256], *text;
	size_t len;

	assert_int_equal(file_read(AT_FDCWD, DOC, 1 << 20, &text, &len), 0);
	for (size_t i = 0; i < MACHINES; i++)
		for (int from = 0; from < machines[i].states; from++) {
			write_line(&machines[i], from, line, sizeof(line));
			if (!strstr(text, line))
				fail_msg("docs/design/states.md lacks \"%s\"", line);
		}
	free(text);
}

static void each_state_is_reached_from_the_first(void **state)
{
	for (size_t i = 0; i < MACHINES; i++) {
		bool reached[16] = { true };
		const struct machine *machine = &machines[i];

		for (int round = 0; round < machine->states; round++)
			for (int from = 0; from < machine->states; from++)
				for (int to = 0; to < machine->states; to++)
					reached[to] |= reached[from] && machine->allows(from, to);
		for (int at = 0; at < machine->states; at++)
			assert_true(reached[at]);
	}
}

/* What a record named stays named; only a task may become a part of another. */
static void what_is_reported_stays_reported(void **state)
{
	for (size_t i = 0; i < MACHINES; i++)
		for (int from = 0; from < machines[i].states; from++)
			for (int to = 0; to < machines[i].states; to++)
				if (machines[i].is_reported(from) && machines[i].allows(from, to))
					assert_true(machines[i].is_reported(to) ||
						    (i == 0 && to == TASK_MERGED));
}

static void an_end_is_final(void **state)
{
	for (int to = 0; to < TASK_STATES; to++) {
		assert_false(task_allows(TASK_ENDED, to));
		assert_false(task_allows(TASK_MERGED, to));
	}
	for (int to = 0; to < RUN_STATES; to++)
		assert_false(run_allows(RUN_ENDED, to));
	assert_true(run_allows(RUN_IDLE, RUN_RUNNING));
}

#ifndef NDEBUG
static void ends_the_build(bool run)
{
	const struct rlimit none = { 0, 0 };
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGABRT, SIG_DFL);
		(void)!freopen("/dev/null", "w", stderr);
		if (run)
			run_state_next(RUN_ENDED, RUN_RUNNING);
		else
			task_state_next(TASK_ENDED, TASK_RUNNING);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void a_transition_that_is_not_in_the_table_ends_a_debug_build(void **state)
{
	ends_the_build(false);
	ends_the_build(true);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_design_prints_the_tables),
		cmocka_unit_test(each_state_is_reached_from_the_first),
		cmocka_unit_test(what_is_reported_stays_reported),
		cmocka_unit_test(an_end_is_final),
#ifndef NDEBUG
		cmocka_unit_test(a_transition_that_is_not_in_the_table_ends_a_debug_build),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
