/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdint.h>

#include "tune/wall.h"

/* Times are in seconds of a made-up run; each image's classes are what is named, the rest of its
 * life is unknown. */

struct play {
	struct wall_image images[16];
	size_t count;
};

static struct wall_image *process(struct play *play, size_t parent, double began, double ended)
{
	struct wall_image *image = &play->images[play->count];

	*image = (struct wall_image){ .process = play->count,
				      .parent = parent,
				      .began_at = (int64_t)(began * 1e9),
				      .ended_at = (int64_t)(ended * 1e9) };
	play->count++;
	return image;
}

static void does(struct wall_image *image, enum wall_part part, double seconds)
{
	image->ns[part] = seconds * 1e9;
	if (part == WALL_COMPUTING)
		image->serial_ns = image->ns[part];
}

/* Whatever it is: all of the time, and no more. */
static struct wall walls_between(const struct play *play, double began, double ended, size_t group)
{
	const struct wall_span span = { (int64_t)(began * 1e9), (int64_t)(ended * 1e9), group };
	struct wall wall;
	double sum = 0;

	assert_int_equal(wall_find(play->images, play->count, &span, 1, &wall), 0);
	for (int i = 0; i < WALL_PARTS; i++)
		sum += wall.ns[i];
	assert_float_equal(sum, (ended - began) * 1e9, 1000);
	return wall;
}

static struct wall walls_of(const struct play *play, double ended)
{
	return walls_between(play, 0, ended, 0);
}

static void assert_seconds(const struct wall *wall, enum wall_part part, double seconds)
{
	assert_float_equal(wall->ns[part] / 1e9, seconds, 0.001);
}

static void a_shell_did_what_its_programs_did(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 9);
	does(&play.images[0], WALL_COMPUTING, 1);
	does(process(&play, 0, 1, 4), WALL_COMPUTING, 3);
	does(process(&play, 0, 4, 10), WALL_DISK, 6);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_COMPUTING, 4);
	assert_seconds(&wall, WALL_DISK, 6);
	assert_seconds(&wall, WALL_CHILD, 0);
	assert_float_equal(wall.serial_ns / 1e9, 4, 0.001);
	assert_float_equal(wall.assumed_ns, 0, 1);
}

/* timeout: what it waits for is not known, but for the signal. */
static void a_wait_for_the_signal_of_a_child_is_for_the_child(void **state)
{
	for (int by_signal = 0; by_signal <= 1; by_signal++) {
		struct play play = { 0 };
		struct wall wall;

		does(process(&play, WALL_NONE, 0, 10), WALL_OTHER, 10);
		play.images[0].by_signal = by_signal;
		does(process(&play, 0, 1, 9), WALL_DISK, 8);
		wall = walls_of(&play, 10);
		assert_seconds(&wall, WALL_DISK, by_signal ? 8 : 0);
		assert_seconds(&wall, WALL_OTHER, by_signal ? 2 : 10);
	}
}

static void the_engine_forks_and_that_execs_the_task(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 1, 2), WALL_RUNNABLE, 1);
	does(process(&play, 0, 2, 10), WALL_COMPUTING, 8);
	play.images[2].process = play.images[1].process;
	play.images[2].group = 1;
	wall = walls_between(&play, 2, 10, 1);
	assert_seconds(&wall, WALL_COMPUTING, 8);
}

/* And the engine that started the task waits for a child. */
static void a_task_did_what_it_started_of_no_task(void **state)
{
	struct play play = { 0 };
	struct wall engine, task;

	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 2, 10), WALL_CHILD, 8);
	play.images[1].group = 1;
	does(process(&play, 1, 2, 10), WALL_COMPUTING, 8);
	task = walls_between(&play, 2, 10, 1);
	engine = walls_of(&play, 10);
	assert_seconds(&task, WALL_COMPUTING, 8);
	assert_seconds(&engine, WALL_CHILD, 10);
	assert_seconds(&engine, WALL_COMPUTING, 0);
}

static void of_children_side_by_side_the_last_is_waited_for(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 0, 6), WALL_NETWORK, 6);
	does(process(&play, 0, 0, 10), WALL_COMPUTING, 10);
	does(process(&play, 0, 2, 9), WALL_SLEEP, 7);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_COMPUTING, 10);
}

static void one_after_the_other_beside_others(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	/* xargs -P 2: two at a time */
	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 0, 5), WALL_COMPUTING, 5);
	does(process(&play, 0, 0, 4), WALL_DISK, 4);
	does(process(&play, 0, 4, 10), WALL_NETWORK, 6);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_NETWORK, 6);
	assert_seconds(&wall, WALL_DISK, 4); /* the place of which it then took */
	assert_seconds(&wall, WALL_COMPUTING, 0);
}

static void connect(struct play *play, size_t from, size_t to, uint64_t pipe)
{
	play->images[from].pipe_out = pipe;
	play->images[to].pipe_in = pipe;
}

static void the_time_of_a_pipe_is_that_of_the_member_that_limits_it(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	/* a fast writer, a slow one in the middle, a reader that waits */
	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 0, 10), WALL_PIPE_WRITE, 9);
	does(&play.images[1], WALL_COMPUTING, 1);
	does(process(&play, 0, 0, 10), WALL_COMPUTING, 8);
	does(&play.images[2], WALL_PIPE_READ, 2);
	does(process(&play, 0, 0, 10), WALL_PIPE_READ, 9);
	does(&play.images[3], WALL_DISK, 1);
	connect(&play, 1, 2, 11);
	connect(&play, 2, 3, 12);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_DISK, 1);
	assert_seconds(&wall, WALL_COMPUTING, 9);
	assert_seconds(&wall, WALL_PIPE_READ, 0);
}

static void an_unknown_end_of_a_pipe_stays_a_pipe(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_PIPE_READ, 7);
	does(&play.images[0], WALL_COMPUTING, 3);
	play.images[0].pipe_in = 99;
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_PIPE_READ, 7);
}

static void who_reads_what_its_child_prints_waits_for_it(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_PIPE_READ, 10);
	does(process(&play, 0, 1, 9), WALL_COMPUTING, 8);
	play.images[1].pipe_out = 99;
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_COMPUTING, 8);
	assert_seconds(&wall, WALL_PIPE_READ, 2);
}

static void a_helper_beside_work_is_not_what_was_waited_for(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	/* an engine's wrapper: the task's command, and tee, which ends after it */
	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 0, 9.5), WALL_COMPUTING, 9.5);
	does(process(&play, 0, 0, 10), WALL_PIPE_READ, 10);
	play.images[2].helper = 1;
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_COMPUTING, 9.5);
	assert_seconds(&wall, WALL_PIPE_READ, 0.5);
}

static void only_the_part_that_was_waited_for_counts(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	/* It computes beside its child for 6 s, and waits for it for 4 s. */
	does(process(&play, WALL_NONE, 0, 10), WALL_COMPUTING, 6);
	does(&play.images[0], WALL_CHILD, 4);
	does(process(&play, 0, 0, 10), WALL_NETWORK, 10);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_COMPUTING, 6);
	assert_seconds(&wall, WALL_NETWORK, 4);
}

static void of_a_part_of_a_life_the_classes_are_assumed(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	/* Its first half was before this task: which of its two kinds of work that was is not
	 * known. */
	does(process(&play, WALL_NONE, -10, 10), WALL_COMPUTING, 15);
	does(&play.images[0], WALL_DISK, 5);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_COMPUTING, 7.5);
	assert_seconds(&wall, WALL_DISK, 2.5);
	assert_float_equal(wall.assumed_ns / 1e9, 2.5, 0.001);
}

static void what_no_process_did_is_unknown(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 2, 6), WALL_COMPUTING, 4);
	does(process(&play, 0, 2, 3), WALL_COMPUTING, 1); /* a child for which nothing waited */
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_COMPUTING, 4);
	assert_seconds(&wall, WALL_UNKNOWN, 6);
}

static void a_longer_wait_than_the_children_lived_stays_one(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 3, 7), WALL_COMPUTING, 4);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_COMPUTING, 4);
	assert_seconds(&wall, WALL_CHILD, 6);
}

static void a_process_that_execs_did_what_each_image_did(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 2), WALL_DISK, 2);
	does(process(&play, WALL_NONE, 2, 10), WALL_COMPUTING, 8);
	play.images[1].process = 0;
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_DISK, 2);
	assert_seconds(&wall, WALL_COMPUTING, 8);
}

static void of_a_part_of_a_task_its_processes_count_while_it_lasted(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 0, 4), WALL_COMPUTING, 4);
	does(process(&play, 0, 4, 10), WALL_DISK, 6);
	wall = walls_between(&play, 2, 5, 0);
	assert_seconds(&wall, WALL_COMPUTING, 2);
	assert_seconds(&wall, WALL_DISK, 1);
	assert_float_equal(wall.assumed_ns, 0, 1); /* each did one thing only */
	does(&play.images[1], WALL_COMPUTING, 3);
	does(&play.images[1], WALL_NETWORK, 1);
	wall = walls_between(&play, 0, 2, 0);
	assert_seconds(&wall, WALL_COMPUTING, 1.5);
	assert_seconds(&wall, WALL_NETWORK, 0.5);
	assert_float_equal(wall.assumed_ns / 1e9, 0.5, 0.001);
	wall = walls_between(&play, 8, 12, 0);
	assert_seconds(&wall, WALL_DISK, 2);
	assert_seconds(&wall, WALL_UNKNOWN, 2);
}

static void a_member_of_a_pipe_counts_only_while_it_lived(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 0, 6), WALL_NETWORK, 6);
	does(process(&play, 0, 0, 10), WALL_PIPE_READ, 5);
	does(&play.images[2], WALL_COMPUTING, 5);
	connect(&play, 1, 2, 11);
	wall = walls_between(&play, 2, 4, 0);
	assert_seconds(&wall, WALL_NETWORK, 1);
	assert_seconds(&wall, WALL_COMPUTING, 1);
	wall = walls_between(&play, 7, 9, 0);
	assert_seconds(&wall, WALL_NETWORK, 0);
	assert_seconds(&wall, WALL_PIPE_READ, 1);
}

static void a_span_is_of_its_own_group(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, WALL_NONE, 0, 10), WALL_COMPUTING, 10);
	does(process(&play, WALL_NONE, 0, 10), WALL_DISK, 10);
	play.images[1].group = 1;
	wall = walls_between(&play, 3, 5, 1);
	assert_seconds(&wall, WALL_DISK, 2);
	wall = walls_between(&play, 3, 5, WALL_NONE);
	assert_seconds(&wall, WALL_UNKNOWN, 2);
	wall = walls_between(&play, 5, 5, 1); /* a link that took no time */
	assert_seconds(&wall, WALL_DISK, 0);
}

/* Records of a hostile sender: parents and pipes that lead round in a circle. */
static void circles_end(void **state)
{
	struct play play = { 0 };
	struct wall wall;

	does(process(&play, 1, 0, 10), WALL_CHILD, 10);
	does(process(&play, 0, 0, 10), WALL_CHILD, 10);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_UNKNOWN, 10);
	play = (struct play){ 0 };
	does(process(&play, WALL_NONE, 0, 10), WALL_PIPE_READ, 10);
	does(process(&play, WALL_NONE, 0, 10), WALL_PIPE_READ, 10);
	connect(&play, 0, 1, 5);
	connect(&play, 1, 0, 6);
	wall = walls_of(&play, 10);
	assert_seconds(&wall, WALL_PIPE_READ, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shell_did_what_its_programs_did),
		cmocka_unit_test(a_wait_for_the_signal_of_a_child_is_for_the_child),
		cmocka_unit_test(the_engine_forks_and_that_execs_the_task),
		cmocka_unit_test(a_task_did_what_it_started_of_no_task),
		cmocka_unit_test(of_children_side_by_side_the_last_is_waited_for),
		cmocka_unit_test(one_after_the_other_beside_others),
		cmocka_unit_test(the_time_of_a_pipe_is_that_of_the_member_that_limits_it),
		cmocka_unit_test(an_unknown_end_of_a_pipe_stays_a_pipe),
		cmocka_unit_test(who_reads_what_its_child_prints_waits_for_it),
		cmocka_unit_test(a_helper_beside_work_is_not_what_was_waited_for),
		cmocka_unit_test(only_the_part_that_was_waited_for_counts),
		cmocka_unit_test(of_a_part_of_a_life_the_classes_are_assumed),
		cmocka_unit_test(what_no_process_did_is_unknown),
		cmocka_unit_test(a_longer_wait_than_the_children_lived_stays_one),
		cmocka_unit_test(a_process_that_execs_did_what_each_image_did),
		cmocka_unit_test(of_a_part_of_a_task_its_processes_count_while_it_lasted),
		cmocka_unit_test(a_member_of_a_pipe_counts_only_while_it_lived),
		cmocka_unit_test(a_span_is_of_its_own_group),
		cmocka_unit_test(circles_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
