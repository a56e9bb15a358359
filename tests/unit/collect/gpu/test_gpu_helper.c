/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "collect/gpu/gpu_helper.h"
#include "wait.h"

/* Programs that behave badly in tracer-gpu's place: shell scripts. */

struct scene {
	char program[64];
	struct event_base *base;
	struct gpu_helper *helper;
	int lines, ends;
	char last[GPU_NOTE_SIZE], words[GPU_NOTE_SIZE];
};

static void on_line(void *context, const struct gpu_line *line)
{
	struct scene *scene = context;

	scene->lines++;
	if (line->kind == GPU_LINE_NOTE)
		memcpy(scene->last, line->note, sizeof(scene->last));
}

static void on_end(void *context, const char *words)
{
	struct scene *scene = context;

	scene->ends++;
	(void)snprintf(scene->words, sizeof(scene->words), "%s", words);
}

static void begin(struct scene *scene, const char *script)
{
	struct gpu_helper_options options = { .program = scene->program,
					      .source = "nvidia",
					      .library_folder = "/nowhere",
					      .on_line = on_line,
					      .on_end = on_end,
					      .context = scene };
	char text[1024];
	int fd;

	memset(scene, 0, sizeof(*scene));
	(void)snprintf(scene->program, sizeof(scene->program), "/tmp/tracer-gpu-XXXXXX");
	fd = mkstemp(scene->program);
	assert_true(fd >= 0);
	close(fd);
	(void)snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
	assert_int_equal(file_write(scene->program, text, strlen(text), 0755, NULL), 0);
	scene->base = event_base_new();
	scene->helper = gpu_helper_new(scene->base, &options);
	assert_non_null(scene->helper);
}

static void clear(struct scene *scene)
{
	gpu_helper_free(scene->helper);
	while (waitpid(-1, NULL, 0) > 0)
		;
	event_base_free(scene->base);
	unlink(scene->program);
}

/* Lets it run until so many of its processes have ended, without ticking. */
static void until_ends(struct scene *scene, int ends)
{
	WAIT_DOING(scene->ends >= ends,
		   (event_base_loop(scene->base, EVLOOP_NONBLOCK), usleep(5000)),
		   "the helper to end");
	assert_int_equal(scene->ends, ends);
}

/* Until the next tick can reap the process that was ended; at once where there is none. */
static void until_reapable(void)
{
	(void)waitid(P_ALL, 0, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
}

static void expect_nonsense(const char *script, const char *words)
{
	struct scene scene;

	begin(&scene, script);
	gpu_helper_tick(scene.helper, true);
	until_ends(&scene, 1);
	if (!strstr(scene.words, words))
		fail_msg("'%s' lacks '%s'", scene.words, words);
	assert_false(gpu_helper_status(scene.helper).running);
	clear(&scene);
}

static void what_makes_no_sense_ends_it(void **state)
{
	expect_nonsense("echo hello; exec sleep 60", "not a line");
	expect_nonsense("head -c 100000 /dev/zero | tr '\\0' x; exec sleep 60",
			"a line without an end");
	expect_nonsense("head -c 100 /dev/urandom; echo; exec sleep 60", "not a line");
	expect_nonsense("while :; do echo end; done", "too much");
	expect_nonsense("echo note it is all over; exit 1", "it is all over");
	expect_nonsense("exit 0", "it ended");
}

static void it_is_given_nothing_of_ours(void **state)
{
	struct scene scene;

	setenv("LD_LIBRARY_PATH", "/evil", 1);
	/* 10 is where the shell keeps its script. */
	begin(&scene, "for fd in 3 4 5 6 7 8 9 11 12 13 14 15; do\n"
		      "[ ! -e /proc/$$/fd/$fd ] || echo note descriptor $fd; done\n"
		      "echo \"note $(tr '\\0' ' ' </proc/$$/environ)|$*\"");
	gpu_helper_tick(scene.helper, true);
	until_ends(&scene, 1);
	unsetenv("LD_LIBRARY_PATH");
	assert_string_equal(scene.last, "LC_ALL=C |nvidia --library-folder /nowhere");
	assert_int_equal(scene.lines, 1);
	clear(&scene);
}

/* Ticks until it has been started so often; returns how many ticks that took. */
static int ticks_until(struct scene *scene, uint64_t starts)
{
	int ticks = 0;

	while (gpu_helper_status(scene->helper).starts < starts) {
		int ends = scene->ends;

		gpu_helper_tick(scene->helper, true);
		ticks++;
		if (gpu_helper_status(scene->helper).running)
			until_ends(scene, ends + 1);
		until_reapable();
		assert_true(ticks < 1000);
	}
	return ticks;
}

static void it_is_started_again_later_each_time(void **state)
{
	struct scene scene;
	int first, second, third;

	begin(&scene, "exit 1");
	assert_int_equal(ticks_until(&scene, 1), 1);
	first = ticks_until(&scene, 2);
	second = ticks_until(&scene, 3);
	third = ticks_until(&scene, 4);
	assert_true(first >= 2 && second > first && third > second);
	clear(&scene);
}

static void it_runs_only_while_it_is_wanted(void **state)
{
	struct scene scene;

	begin(&scene, "echo tracer-gpu 1; exec sleep 60");
	gpu_helper_tick(scene.helper, false);
	assert_int_equal(gpu_helper_status(scene.helper).starts, 0);
	gpu_helper_tick(scene.helper, true);
	assert_true(gpu_helper_status(scene.helper).running);
	gpu_helper_tick(scene.helper, false);
	assert_false(gpu_helper_status(scene.helper).running);
	assert_string_equal(scene.words, "");
	until_reapable();
	gpu_helper_tick(scene.helper, true); /* wanted again: at once */
	assert_true(gpu_helper_status(scene.helper).running);
	clear(&scene);
}

static void one_that_hangs_is_ended(void **state)
{
	struct scene scene;

	begin(&scene, "exec sleep 60");
	for (int i = 0; i <= GPU_SILENT_S; i++)
		gpu_helper_tick(scene.helper, true);
	assert_true(gpu_helper_status(scene.helper).running);
	gpu_helper_tick(scene.helper, true);
	assert_false(gpu_helper_status(scene.helper).running);
	assert_string_equal(scene.words, "it hung");
	clear(&scene);
}

static void a_program_that_others_may_write_is_not_started(void **state)
{
	struct scene scene;

	begin(&scene, "echo tracer-gpu 1; exec sleep 60");
	assert_int_equal(chmod(scene.program, 0777), 0);
	gpu_helper_tick(scene.helper, true);
	assert_false(gpu_helper_status(scene.helper).running);
	assert_non_null(strstr(gpu_helper_status(scene.helper).words, "others may write it"));
	assert_int_equal(chmod(scene.program, 0755), 0);
	if (chown(scene.program, 1234, 1234) == 0)
		assert_int_equal(gpu_helper_find(scene.program, (char[64]){ 0 }, 64, NULL), -EPERM);
	else
		assert_int_equal(errno, EPERM); /* who has no CAP_CHOWN cannot give a file away */
	unlink(scene.program);
	assert_int_equal(gpu_helper_find(scene.program, (char[64]){ 0 }, 64, NULL), -ENOENT);
	clear(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_makes_no_sense_ends_it),
		cmocka_unit_test(it_is_given_nothing_of_ours),
		cmocka_unit_test(it_is_started_again_later_each_time),
		cmocka_unit_test(it_runs_only_while_it_is_wanted),
		cmocka_unit_test(one_that_hangs_is_ended),
		cmocka_unit_test(a_program_that_others_may_write_is_not_started),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
