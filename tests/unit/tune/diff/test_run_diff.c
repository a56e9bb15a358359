/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "tune/fixture_diff.h"
#include "tune/diff/diff_words.h"
#include "tune/diff/run_diff.h"

/* Both runs as fixture_diff.h has them, the sentence, and how each step is found. */
static const struct {
	const char *name, *from, *to, *said, *steps;
} cases[] = {
	{ "a newer tool that computes longer", "0 100\na ALIGN 0 60 tools=bwa_1.0\nb SORT 60 100",
	  "0 160\na ALIGN 0 120 tools=bwa_1.1\nb SORT 120 160",
	  "1m 00s slower (60 %): ALIGN +1m 00s (probably bwa 1.1 instead of bwa 1.0)",
	  "ALIGN both, SORT both" },
	{ "fewer CPUs for a step that could use more",
	  "0 100\na ALIGN 0 100 cpus=4 busy=3.9 tools=bwa_1",
	  "0 200\na ALIGN 0 200 cpus=2 busy=2 tools=bwa_1",
	  "1m 40s slower (100 %): ALIGN +1m 40s (probably requested CPUs: 2 instead of 4)",
	  "ALIGN both" },
	{ "arguments of which only the number of CPUs differs",
	  "0 100\na ALIGN 0 100 cpus=4 busy=3.9 args=bwa_-t_4;_sort",
	  "0 200\na ALIGN 0 200 cpus=2 busy=2 args=bwa_-t_2;_sort",
	  "1m 40s slower (100 %): ALIGN +1m 40s (probably requested CPUs: 2 instead of 4)",
	  "ALIGN both" },
	{ "other arguments", "0 100\na ALIGN 0 100 args=bwa_-k_19;_sort",
	  "0 200\na ALIGN 0 200 args=bwa_-k_11;_sort",
	  "1m 40s slower (100 %): ALIGN +1m 40s (probably bwa -k 11 instead of bwa -k 19)",
	  "ALIGN both" },
	{ "more CPUs can't be why it is slower", "0 100\na ALIGN 0 100 cpus=2",
	  "0 200\na ALIGN 0 200 cpus=4",
	  "1m 40s slower (100 %): ALIGN +1m 40s (most of it: computing on one CPU; why is not known)",
	  "ALIGN both" },
	{ "two things differ", "0 100\na ALIGN 0 100 tools=bwa_1 host=small args=x",
	  "0 200\na ALIGN 0 200 tools=bwa_2 host=large args=x",
	  "1m 40s slower (100 %): ALIGN +1m 40s (perhaps bwa 2 instead of bwa 1, or host: large instead "
	  "of small)",
	  "ALIGN both" },
	{ "other work on the host", "0 100\na ALIGN 0 100 tools=bwa_1 runnable=5",
	  "0 200\na ALIGN 0 200 tools=bwa_2 runnable=105",
	  "1m 40s slower (100 %): ALIGN +1m 40s (probably 52 % of the time it waited for a free "
	  "CPU, before 5 %)",
	  "ALIGN both" },
	{ "disk, of which nothing says why", "0 100\na ALIGN 0 100 disk=10 tools=x host=h cpus=2",
	  "0 150\na ALIGN 0 150 disk=60 tools=x host=h cpus=2",
	  "50.0 s slower (50 %): ALIGN +50.0 s (most of it: reading or writing disk; why is not known)",
	  "ALIGN both" },
	{ "more input, and nothing says what a byte costs", "0 100\na ALIGN 0 100 in=2",
	  "0 200\na ALIGN 0 200 in=4",
	  "1m 40s slower (100 %): ALIGN +1m 40s (probably input: 4.0 GiB instead of 2.0 GiB)",
	  "ALIGN both" },
	{ "a step is new, one is gone", "0 100\na TRIM 0 40\nb ALIGN 40 100",
	  "0 80\nb ALIGN 0 60\nc QC 60 80",
	  "20.0 s faster (20 %): TRIM -40.0 s (a step that is no longer there), QC +20.0 s "
	  "(a new step)",
	  "TRIM removed, QC new, ALIGN both" },
	{ "a step has another name and the same arguments", "0 50\na MAP 0 50 tools=bwa_1 args=d1",
	  "0 90\na ALIGN 0 90 tools=bwa_1 args=d1",
	  "40.0 s slower (80 %): ALIGN +40.0 s (most of it: computing on one CPU; why is not known)",
	  "ALIGN renamed" },
	{ "two steps could be the old one", "0 50\na MAP 0 50 args=d1",
	  "0 90\na ONE 0 40 args=d1\nb TWO 40 90 args=d1",
	  "40.0 s slower (80 %): MAP -50.0 s (a step that is no longer there), TWO +50.0 s (a new "
	  "step), ONE +40.0 s (a new step)",
	  "MAP removed, TWO new, ONE new" },
	{ "more tasks one after the other", "0 60\na MAP 0 30\nb MAP 30 60",
	  "0 90\na MAP 0 30\nb MAP 30 60\nc MAP 60 90",
	  "30.0 s slower (50 %): MAP +30.0 s (the run waited for 3 of its tasks one after the "
	  "other instead of 2)",
	  "MAP both" },
	{ "no tasks: all is the engine's", "0 60", "0 90",
	  "30.0 s slower (50 %): no task, but the engine +30.0 s (most of it: not known where)",
	  "" },
	{ "nothing changed", "0 60\na MAP 0 60 tools=x", "0 60\na MAP 0 60 tools=y",
	  "as long as before", "MAP both" },
	{ "a run has not ended", "0 60\na MAP 0 30\nb SORT 30 60",
	  "0 20 running\na MAP 0 20 end=runs",
	  "a run has not ended: only tasks that have are compared", "MAP both, SORT not_yet" },
};

static char *words_of(const struct run_diff *diff)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	run_diff_say(diff, &out);
	return buffer_take(&out);
}

static char *steps_of(const struct run_diff *diff)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	buffer_append_text(&out, "");
	for (size_t i = 0; i < diff->step_count; i++)
		buffer_printf(&out, "%s%s %s", i ? ", " : "", diff->steps[i].name,
			      step_state_key(diff->steps[i].state));
	return buffer_take(&out);
}

static void the_difference_is_said_with_what_differs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
		CLEANUP(diff_scene_clear) struct diff_scene from = { 0 };
		CLEANUP(diff_scene_clear) struct diff_scene to = { 0 };
		CLEANUP(freep) char *said = NULL;
		CLEANUP(freep) char *steps = NULL;

		print_message("%s\n", cases[i].name);
		diff_scene_read(&from, cases[i].from);
		diff_scene_read(&to, cases[i].to);
		assert_int_equal(run_diff_make(&diff, &from.run, &to.run), 0);
		said = words_of(&diff);
		steps = steps_of(&diff);
		assert_string_equal(said, cases[i].said);
		assert_string_equal(steps ? steps : "", cases[i].steps);
	}
}

static __int128 sum_of(const int64_t *factors)
{
	__int128 sum = 0;

	for (size_t i = 0; i < DIFF_FACTORS; i++)
		sum += factors[i];
	return sum;
}

static void assert_adds_up(const struct run_diff *diff)
{
	__int128 all = sum_of(diff->engine_factors);

	for (size_t i = 0; i < diff->step_count; i++) {
		assert_true(sum_of(diff->steps[i].factors) == diff->steps[i].path_ns);
		all += diff->steps[i].path_ns;
	}
	assert_true(all == diff->difference_ns);
}

static void parts_add_up_to_the_difference(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
		CLEANUP(diff_scene_clear) struct diff_scene from = { 0 };
		CLEANUP(diff_scene_clear) struct diff_scene to = { 0 };

		diff_scene_read(&from, cases[i].from);
		diff_scene_read(&to, cases[i].to);
		assert_int_equal(run_diff_make(&diff, &from.run, &to.run), 0);
		if (diff.timed)
			assert_adds_up(&diff);
	}
}

/* More input costs what the tasks of the step show that it costs: 10 s for each GiB. */
static void input_counts_by_what_tasks_of_one_run_show(void **state)
{
	static const char FROM[] =
		"0 60\na M 0 10 in=1\nb M 0 20 in=2\nc M 0 30 in=3\nd M 0 40 in=4\n"
		"e M 0 50 in=5\nf M 0 60 in=6";
	static const char TO[] =
		"0 130\na M 0 30 in=2\nb M 0 50 in=4\nc M 0 70 in=6\nd M 0 90 in=8\n"
		"e M 0 110 in=10\nf M 0 130 in=12";
	CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
	CLEANUP(diff_scene_clear) struct diff_scene from = { 0 };
	CLEANUP(diff_scene_clear) struct diff_scene to = { 0 };

	(void)state;
	diff_scene_read(&from, FROM);
	diff_scene_read(&to, TO);
	assert_int_equal(run_diff_make(&diff, &from.run, &to.run), 0);
	assert_int_equal(diff.steps[0].slope.tasks, 12);
	/* The slope of both runs is 10 s a GiB; the path's task has 12 GiB instead of 6. */
	assert_int_equal(diff.steps[0].factors[DIFF_INPUT], 60000000000);
	assert_int_equal(diff.steps[0].factors[DIFF_SERIAL], 10000000000);
	assert_int_equal(diff.steps[0].path_ns, 70000000000);
}

static void tasks_that_differ_as_much_within_a_run_say_nothing(void **state)
{
	static const char FROM[] = "0 100\na M 0 10\nb M 0 30\nc M 0 50\nd M 0 70\ne M 0 100";
	static const char TO[] = "0 120\na M 0 12\nb M 0 25\nc M 0 60\nd M 0 65\ne M 0 120 tools=x";
	CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
	CLEANUP(diff_scene_clear) struct diff_scene from = { 0 };
	CLEANUP(diff_scene_clear) struct diff_scene to = { 0 };

	(void)state;
	diff_scene_read(&from, FROM);
	diff_scene_read(&to, TO);
	assert_int_equal(run_diff_make(&diff, &from.run, &to.run), 0);
	assert_int_equal(diff.steps[0].reason.kind, REASON_SPREAD);
	assert_int_equal(diff.steps[0].changes[SIDE_WALL].toward, 0);
}

static void spans_that_do_not_add_up_are_refused(void **state)
{
	CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
	CLEANUP(diff_scene_clear) struct diff_scene from = { 0 };
	CLEANUP(diff_scene_clear) struct diff_scene to = { 0 };

	(void)state;
	diff_scene_read(&from, "0 60\na M 0 60");
	diff_scene_read(&to, "0 60\na M 0 60");
	to.run.wall_ns++;
	assert_int_equal(run_diff_make(&diff, &from.run, &to.run), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_difference_is_said_with_what_differs),
		cmocka_unit_test(parts_add_up_to_the_difference),
		cmocka_unit_test(input_counts_by_what_tasks_of_one_run_show),
		cmocka_unit_test(tasks_that_differ_as_much_within_a_run_say_nothing),
		cmocka_unit_test(spans_that_do_not_add_up_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
