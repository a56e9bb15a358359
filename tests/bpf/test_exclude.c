/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* Two names of the shell: the exec of one begins tracking, that of the other is excluded. */
static char in[64], out[64];
static const char *const named[] = { in + 5 }, *const barred[] = { out + 5 };

static int link_shells(void **state)
{
	snprintf(in, sizeof(in), "/tmp/probe_in.%d", getpid());
	snprintf(out, sizeof(out), "/tmp/probe_out.%d", getpid());
	return symlink("/bin/sh", in) || symlink("/bin/sh", out) || setenv("IN", in, 1) ||
	       setenv("OUT", out, 1);
}

static int unlink_shells(void **state)
{
	return unlink(in) || unlink(out);
}

static struct watch *watch_both(bool track_all)
{
	return watch_new(&(struct probe_options){ .names = named,
						  .name_count = 1,
						  .excluded = barred,
						  .excluded_count = 1,
						  .track_all = track_all });
}

static pid_t run(const char *shell, const char *text)
{
	const char *const argv[] = { shell, "-c", text, NULL };
	pid_t pid = watch_spawn(argv, -1, -1);

	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

static size_t count_of_kind(const struct watch *watch, enum watch_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < watch->count; i++)
		count += watch->records[i].kind == kind;
	return count;
}

static void the_exec_of_an_excluded_program_ends_tracking(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_both(false);
	const struct watch_record *left;
	pid_t pid = run(in, "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done;"
			    "exec $OUT -c '/bin/true; true'");

	watch_until_exit(watch, pid);
	assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 1);
	assert_int_equal(watch_count(watch, WATCH_EXIT, pid), 1);
	left = watch_find(watch, WATCH_EXIT, pid, 0);
	assert_true(left->exit.exec_excluded);
	assert_int_equal(left->exit.image_seq,
			 watch_find(watch, WATCH_IMAGE, pid, 0)->image.image_seq);
	assert_true(left->exit.figures.user_ns + left->exit.figures.kernel_ns > 1000000);
	assert_true(left->exit.figures.threads_ns > 1000000);
	assert_in_range(left->exit.figures.rss_peak_bytes, 4096, 64 << 20);
	assert_null(watch_child(watch, pid, 0)); /* what it started */
	assert_int_equal(probe_sample(watch->probe), 0);
}

static void what_tracked_work_starts_is_not_followed_into_an_excluded_program(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_both(false);
	pid_t pid = run(in, "$OUT -c '/bin/true; true'; /bin/true; true");

	watch_until_exit(watch, pid);
	assert_false(watch_find(watch, WATCH_EXIT, pid, 0)->exit.exec_excluded);
	assert_non_null(watch_child(watch, pid, 0)); /* the second command */
	assert_string_equal(watch_child(watch, pid, 0)->image.argv[0], "/bin/true");
	assert_null(watch_child(watch, pid, 1));
	assert_int_equal(count_of_kind(watch, WATCH_IMAGE), 2);
	assert_int_equal(count_of_kind(watch, WATCH_EXIT), 2);
}

static size_t exits_of(struct watch *watch, pid_t pid)
{
	watch_poll(watch);
	return watch_count(watch, WATCH_EXIT, pid);
}

static void a_name_that_begins_tracking_begins_it_again(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_both(false);
	pid_t pid = run(in, "exec $OUT -c '$IN -c /bin/true; exec $IN -c \"exit 3\"'");

	watch_until_exit(watch, pid);
	assert_non_null(watch_child(watch, pid, 0));
	assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 2);
	watch_until(exits_of(watch, pid) == 2, "the second exit record");
	assert_true(watch_find(watch, WATCH_EXIT, pid, 0)->exit.exec_excluded);
	assert_false(watch_find(watch, WATCH_IMAGE, pid, 1)->image.replaced);
	assert_false(watch_find(watch, WATCH_EXIT, pid, 1)->exit.exec_excluded);
	assert_int_equal(watch_find(watch, WATCH_EXIT, pid, 1)->exit.exit_code, 3);
}

static void where_all_is_tracked_what_an_excluded_program_starts_is_not(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_both(true);
	pid_t barred_pid = run(out, "/bin/true; (/bin/true; true); $IN -c '/bin/true; true'; true");
	pid_t named_pid = run("/bin/sh", "/bin/true; true");

	watch_until_exit(watch, named_pid);
	assert_non_null(watch_child(watch, named_pid, 0));
	assert_int_equal(watch_count(watch, WATCH_IMAGE, barred_pid), 0);
	assert_int_equal(watch_count(watch, WATCH_EXIT, barred_pid), 0);
	assert_non_null(watch_child(watch, barred_pid, 0)); /* the named one, */
	assert_string_equal(watch_child(watch, barred_pid, 0)->image.argv[0], in);
	assert_null(watch_child(watch, barred_pid, 1)); /* and no other */
	assert_non_null(
		watch_child(watch, (pid_t)watch_child(watch, barred_pid, 0)->image.key.pid, 0));
}

/* Starts text in a shell that runs until `hold` is closed; it has written a byte by now. */
static pid_t start(const char *shell, const char *text, int *hold)
{
	const char *const argv[] = { shell, "-c", text, NULL };

	return watch_start(argv, hold);
}

static void what_runs_already_is_found_as_if_it_were_started_now(void **state)
{
	int hold, hold_named;
	pid_t pid = start(out, "sh -c 'printf r; read x; true'; true", &hold);
	pid_t outer = start(out, "$IN -c 'printf r; read x; true'; true", &hold_named);
	CLEANUP(watch_freep) struct watch *watch = watch_both(true);

	assert_int_equal(probe_scan(watch->probe), 0);
	assert_null(watch_find(watch, WATCH_IMAGE, getpid(), 0)); /* this is the agent */
	assert_null(watch_find(watch, WATCH_IMAGE, pid, 0));
	assert_null(watch_child(watch, pid, 0));
	assert_null(watch_find(watch, WATCH_IMAGE, outer, 0));
	assert_non_null(watch_child(watch, outer, 0));
	close(hold);
	close(hold_named);
	waitpid(pid, NULL, 0);
	waitpid(outer, NULL, 0);
}

/* Names are added and removed; a name in both the old and the new list stays in force. */
static void a_change_of_names_leaves_no_gap(void **state)
{
	static const char *const more[] = { in + 5, "x", "y" }, *const barred_more[] = { "z",
											 out + 5 };
	const struct probe_names few = { named, barred, 1, 1 }, many = { more, barred_more, 3, 2 };
	CLEANUP(watch_freep) struct watch *watch = watch_both(true);
	const char *const argv[] = { in, "-c", "exec $OUT -c '/bin/true; true'", NULL };

	for (int i = getenv("TRACER_LONG") ? 100 : 20; i > 0; i--) {
		pid_t pid = watch_spawn(argv, -1, -1);
		int turn = 0;

		while (waitpid(pid, NULL, WNOHANG) == 0)
			assert_int_equal(
				probe_set_names(watch->probe, turn++ % 2 ? &few : &many, NULL), 0);
		watch_until_exit(watch, pid);
		assert_int_equal(watch_count(watch, WATCH_IMAGE, pid), 1);
		assert_true(watch_find(watch, WATCH_EXIT, pid, 0)->exit.exec_excluded);
		assert_null(watch_child(watch, pid, 0));
	}
}

static void removed_names_have_no_effect(void **state)
{
	const struct probe_names none = { 0 }, swapped = { barred, named, 1, 1 };
	CLEANUP(watch_freep) struct watch *watch = watch_both(false);
	pid_t pid;

	assert_int_equal(probe_set_names(watch->probe, &none, NULL), 0);
	run(in, ":");
	run(out, ":");
	watch_poll(watch);
	assert_int_equal(watch->count, 0);
	assert_int_equal(probe_set_names(watch->probe, &swapped, NULL), 0);
	run(in, ":");
	pid = run(out, "exec $IN -c :");
	watch_until_exit(watch, pid);
	assert_int_equal(count_of_kind(watch, WATCH_IMAGE), 1);
	assert_true(watch_find(watch, WATCH_EXIT, pid, 0)->exit.exec_excluded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_exec_of_an_excluded_program_ends_tracking),
		cmocka_unit_test(what_tracked_work_starts_is_not_followed_into_an_excluded_program),
		cmocka_unit_test(a_name_that_begins_tracking_begins_it_again),
		cmocka_unit_test(where_all_is_tracked_what_an_excluded_program_starts_is_not),
		cmocka_unit_test(what_runs_already_is_found_as_if_it_were_started_now),
		cmocka_unit_test(a_change_of_names_leaves_no_gap),
		cmocka_unit_test(removed_names_have_no_effect),
	};

	return cmocka_run_group_tests(tests, link_shells, unlink_shells);
}
