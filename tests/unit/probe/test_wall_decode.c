/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "probe/abi/consumed.h"
#include "probe/decode/wall_decode.h"

static struct process_consumed of_thread(enum wall_source source, uint64_t life_ns)
{
	struct process_consumed consumed = { .wall = source };

	consumed.counts.threads_ns = life_ns;
	consumed.counts.cpu_ns = 30;
	consumed.counts.runnable_ns = 20;
	consumed.counts.waits_ns[WAIT_SLEEP] = 40;
	consumed.wall_ns[WALL_WAITS + WAIT_DISK] = 7;
	return consumed;
}

static void one_thread_computes_while_it_neither_waits_nor_is_ready(void **state)
{
	struct process_consumed consumed = of_thread(WALL_OF_THREAD, 100);
	struct probe_figures figures = { 0 };

	wall_decode(&figures, &consumed);
	assert_int_equal(figures.wall_sleep_ns, 40);
	assert_int_equal(figures.wall_runnable_ns, 20);
	assert_int_equal(figures.wall_computing_ns, 40);
	assert_int_equal(figures.wall_serial_ns, 40);
	assert_int_equal(figures.wall_disk_ns, 0);
}

static void of_what_was_not_seen_only_cpu_time_is_known(void **state)
{
	struct process_consumed consumed = of_thread(WALL_OF_THREAD_PARTLY, 1000);
	struct probe_figures figures = { 0 };

	wall_decode(&figures, &consumed);
	assert_int_equal(figures.wall_sleep_ns, 40);
	assert_int_equal(figures.wall_runnable_ns, 20);
	assert_int_equal(figures.wall_computing_ns, 30);
}

/* The kernel may count the same sleep as runnable; a thread without room has no life. */
static void the_classes_of_one_thread_never_exceed_its_life(void **state)
{
	static const struct {
		uint64_t life_ns, sleep_ns, runnable_ns;
	} cases[] = { { 50, 40, 10 }, { 40, 40, 0 }, { 30, 30, 0 }, { 0, 0, 0 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct process_consumed consumed = of_thread(WALL_OF_THREAD, cases[i].life_ns);
		struct probe_figures figures = { 0 };

		wall_decode(&figures, &consumed);
		assert_int_equal(figures.wall_sleep_ns, cases[i].sleep_ns);
		assert_int_equal(figures.wall_runnable_ns, cases[i].runnable_ns);
		assert_int_equal(figures.wall_computing_ns, 0);
	}
}

static void without_room_nothing_is_known(void **state)
{
	struct process_consumed consumed = of_thread(WALL_UNKNOWN, 100);
	struct probe_figures figures = { .wall_sleep_ns = 1 };

	wall_decode(&figures, &consumed);
	assert_int_equal(figures.wall_sleep_ns, 0);
	assert_int_equal(figures.wall_computing_ns, 0);
	consumed.wall = WALL_COUNTED;
	wall_decode(&figures, &consumed);
	assert_int_equal(figures.wall_disk_ns, 7);
	assert_int_equal(figures.wall_sleep_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_computes_while_it_neither_waits_nor_is_ready),
		cmocka_unit_test(of_what_was_not_seen_only_cpu_time_is_known),
		cmocka_unit_test(the_classes_of_one_thread_never_exceed_its_life),
		cmocka_unit_test(without_room_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
