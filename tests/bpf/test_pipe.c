/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* Which processes a shell's pipe connects. */

/* The exit record of the one process that has a pipe at this descriptor. In which order a shell's
 * children are reported is the scheduler's choice. */
static const struct probe_exit *exit_with_pipe(const struct watch *watch, int at)
{
	const struct probe_exit *found = NULL;

	for (size_t i = 0; i < watch->count; i++) {
		const struct watch_record *record = &watch->records[i];

		if (record->kind != WATCH_EXIT || !record->exit.pipes[at])
			continue;
		assert_null(found);
		found = &record->exit;
	}
	assert_non_null(found);
	return found;
}

/* The image record of the child that runs this program. */
static const struct probe_image *image_of(const struct watch *watch, pid_t parent, const char *name)
{
	const struct watch_record *record;

	for (size_t i = 0; (record = watch_child(watch, parent, i)); i++)
		if (strcmp(record->image.argv[0], name) == 0)
			return &record->image;
	fail_msg("the shell did not start %s", name);
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
	const struct probe_exit *writer = exit_with_pipe(watch, 1);
	const struct probe_exit *reader = exit_with_pipe(watch, 0);

	assert_int_equal(writer->pipes[1], reader->pipes[0]);
	assert_int_equal(writer->pipes[0], 0);
	assert_int_equal(reader->pipes[1], 0);
	assert_int_equal(watch_find(watch, WATCH_EXIT, pid, 0)->exit.pipes[0], 0);
}

/* As in Nextflow's .command.run. With exec, because a shell undoes a group's own redirections
 * before it exits. */
static void a_pipe_at_the_standard_error_is_one(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_scripts();

	run_script(watch, "exec 2>&1\n"
			  "{ exec 3>&1 1>&2 2>&3 3>&-; echo one >&2; } | { read -r it; }");
	assert_int_equal(exit_with_pipe(watch, 1)->pipes[1], exit_with_pipe(watch, 0)->pipes[0]);
}

/* Programs report it when they begin, and not again. Shells, because many others close their
 * standard output before they exit. */
static void programs_report_their_pipe_when_they_begin(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_scripts();
	pid_t pid = run_script(watch, "dash -c 'echo one' | sh -c 'read -r it'");
	const struct probe_image *writer = image_of(watch, pid, "dash");
	const struct probe_image *reader = image_of(watch, pid, "sh");

	assert_int_not_equal(writer->pipes[1], 0);
	assert_int_equal(writer->pipes[1], reader->pipes[0]);
	assert_int_equal(watch_find(watch, WATCH_EXIT, (pid_t)writer->key.pid, 0)->exit.pipes[1],
			 0);
	assert_int_equal(watch_find(watch, WATCH_EXIT, (pid_t)reader->key.pid, 0)->exit.pipes[0],
			 0);
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
