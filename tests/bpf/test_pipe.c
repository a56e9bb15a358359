/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* Which processes a shell's pipe connects. */

/* The exit record of the nth process that this one forked. */
static const struct probe_exit *exit_of_child(const struct watch *watch, pid_t parent, size_t nth)
{
	for (size_t i = 0; i < watch->count; i++) {
		const struct watch_record *record = &watch->records[i];

		if (record->kind == WATCH_FORK && record->fork.parent.pid == (uint32_t)parent &&
		    nth-- == 0)
			return &watch_find(watch, WATCH_EXIT, (pid_t)record->fork.key.pid, 0)->exit;
	}
	fail_msg("the shell has no such child");
	return NULL;
}

static pid_t run_script(struct watch *watch, const char *text)
{
	const char *const argv[] = { "/tmp/probe_pipe.sh", NULL };
	FILE *file = fopen(argv[0], "we");
	pid_t pid;

	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", text);
	fclose(file);
	assert_int_equal(chmod(argv[0], 0700), 0);
	pid = watch_spawn(argv, -1, -1);
	waitpid(pid, NULL, 0);
	unlink(argv[0]);
	watch_until_exit(watch, pid);
	return pid;
}

static struct watch *watch_scripts(void)
{
	static const char *const names[] = { "probe_pipe.sh" };

	return watch_new(&(struct probe_options){ .names = names, .name_count = 1 });
}

static void subshells_that_never_exec_report_their_pipe_at_their_end(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_scripts();
	pid_t pid = run_script(watch, "{ echo one; } | { read -r it; }");
	const struct probe_exit *writer = exit_of_child(watch, pid, 0);
	const struct probe_exit *reader = exit_of_child(watch, pid, 1);

	assert_int_not_equal(writer->pipes[1], 0);
	assert_int_equal(writer->pipes[1], reader->pipes[0]);
	assert_int_equal(writer->pipes[0], 0);
	assert_int_equal(reader->pipes[1], 0);
	assert_int_equal(watch_find(watch, WATCH_EXIT, pid, 0)->exit.pipes[0], 0);
}

/* As in Nextflow's .command.run. */
static void a_pipe_at_the_standard_error_is_one(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_scripts();
	pid_t pid = run_script(watch, "{ echo one >&2; } 3>&1 1>&2 2>&3 | { read -r it; }");
	const struct probe_exit *writer = exit_of_child(watch, pid, 0);

	assert_int_not_equal(writer->pipes[1], 0);
	assert_int_equal(writer->pipes[1], exit_of_child(watch, pid, 1)->pipes[0]);
}

/* Programs report it when they begin, and not again. */
static void programs_report_their_pipe_when_they_begin(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_scripts();
	pid_t pid = run_script(watch, "env echo one | cat");
	const struct probe_image *writer = &watch_child(watch, pid, 0)->image;
	const struct probe_image *reader = &watch_child(watch, pid, 1)->image;

	if (writer->pipes[0]) { /* `cat` may exec first */
		const struct probe_image *other = writer;

		writer = reader;
		reader = other;
	}
	assert_int_not_equal(writer->pipes[1], 0);
	assert_int_equal(writer->pipes[1], reader->pipes[0]);
	assert_int_equal(exit_of_child(watch, pid, 0)->pipes[1], 0);
	assert_int_equal(exit_of_child(watch, pid, 1)->pipes[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(subshells_that_never_exec_report_their_pipe_at_their_end),
		cmocka_unit_test(a_pipe_at_the_standard_error_is_one),
		cmocka_unit_test(programs_report_their_pipe_when_they_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
