/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>

#include "collect/process/counters.h"

static void advance(struct counters *seen, const struct counters *now)
{
	const struct counters before = *seen;

	counters_advance(seen, &before, now);
}

static void sums_never_fall(void **state)
{
	struct counters seen = { .user_ns = 70, .kernel_ns = 30, .minor_faults = 5 };
	/* The kernel's split moved: 10 from user to kernel, 5 more in all. */
	const struct counters now = { .user_ns = 60, .kernel_ns = 45, .minor_faults = 4 };

	advance(&seen, &now);
	assert_int_equal(seen.user_ns, 70);
	assert_int_equal(seen.kernel_ns, 35);
	assert_int_equal(seen.minor_faults, 5);
	advance(&seen, &(struct counters){ .user_ns = 10, .kernel_ns = 10 });
	assert_int_equal(counters_cpu_ns(&seen), 105);
}

static void time_that_was_a_wait_is_not_runnable_too(void **state)
{
	struct counters seen = { .user_ns = 100, .child_ns = 900, .threads_ns = 1000 };
	/* The kernel moved the wait to run_delay; since then 50 on a CPU and 30 in its queue. */
	struct counters now = { .user_ns = 150, .runnable_ns = 930, .threads_ns = 1080 };

	advance(&seen, &now);
	assert_int_equal(seen.child_ns, 900);
	assert_int_equal(seen.runnable_ns, 30);
	now = (struct counters){ .user_ns = 150, .runnable_ns = 950, .threads_ns = 1100 };
	advance(&seen, &now);
	assert_int_equal(seen.runnable_ns, 50);
	/* Without threads_ns nothing is known to exceed it. */
	seen = (struct counters){ .child_ns = 900 };
	advance(&seen, &(struct counters){ .runnable_ns = 930 });
	assert_int_equal(seen.runnable_ns, 930);
}

static void growth_of_many_readings_adds_up_to_the_last(void **state)
{
	struct counters seen = { 0 };
	uint64_t user = 0, kernel = 0, expected = 0;

	for (uint64_t i = 1; i <= 1000; i++) {
		struct counters earlier = seen, now;
		Signal__Figures growth;

		expected = i * 1000;
		/* The split wobbles by up to 10 %. */
		now = (struct counters){ .user_ns = expected / 2 + i * (i % 7) * 14 };
		now.kernel_ns = expected - now.user_ns;
		advance(&seen, &now);
		counters_growth(&earlier, &seen, &growth);
		user += growth.user_ns;
		kernel += growth.kernel_ns;
	}
	assert_int_equal(user + kernel, expected);
	assert_int_equal(user, seen.user_ns);
	assert_int_equal(kernel, seen.kernel_ns);
}

static void levels_follow_and_peaks_stay(void **state)
{
	struct counters seen = { .rss_bytes = 100, .rss_peak_bytes = 100, .threads_peak = 8 };
	Signal__Figures growth;

	advance(&seen, &(struct counters){ .rss_bytes = 40, .rss_peak_bytes = 90 });
	assert_int_equal(seen.rss_bytes, 40);
	assert_int_equal(seen.rss_peak_bytes, 100);
	assert_int_equal(seen.threads_peak, 8);
	counters_growth(&(struct counters){ .rss_bytes = 10 }, &seen, &growth);
	assert_int_equal(growth.rss_bytes, 40);
	assert_int_equal(growth.rss_peak_bytes, 100);
}

static void what_is_carried_is_times_and_faults_and_nothing_else(void **state)
{
	const struct counters used = { .user_ns = 1,
				       .kernel_ns = 2,
				       .runnable_ns = 3,
				       .minor_faults = 4,
				       .major_faults = 5,
				       .ctx_voluntary = 6,
				       .ctx_involuntary = 7,
				       .read_chars_bytes = 8,
				       .disk_write_bytes = 9,
				       .rss_peak_bytes = 10 };
	const struct counters carried = counters_carried(&used);
	struct counters image = { .user_ns = 100 };

	counters_add(&image, &carried);
	assert_int_equal(image.user_ns, 101);
	assert_int_equal(image.kernel_ns, 2);
	assert_int_equal(image.ctx_involuntary, 7);
	assert_int_equal(image.read_chars_bytes, 0);
	assert_int_equal(image.disk_write_bytes, 0);
	assert_int_equal(image.rss_peak_bytes, 0);
}

static void what_is_kept_comes_back_as_it_was(void **state)
{
	const struct counters many[] = {
		{ 0 },
		{ .user_ns = 1, .disk_fuse_ns = 127 },
		{ .user_ns = 128, .kernel_ns = 1ULL << 63, .threads_ns = UINT64_MAX },
		{ .rss_bytes = 16383, .rss_peak_bytes = 16384, .sleep_ns = 604800000000000 },
		{ .user_ns = 5,
		  .wall_computing_ns = 5,
		  .wall_serial_ns = 4,
		  .lock_ns = 9,
		  .wall_lock_ns = 9 },
		{ .wall_computing_ns = UINT64_MAX,
		  .lock_ns = 1ULL << 63,
		  .wall_lock_ns = 3,
		  .wall_serial_ns = 1 },
	};
	struct kept *kept = NULL;
	struct counters back;

	counters_recall(NULL, &back);
	assert_memory_equal(&back, &many[0], sizeof(back));
	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++) {
		assert_int_equal(counters_keep(&kept, &many[i]), 0);
		counters_recall(kept, &back);
		assert_memory_equal(&back, &many[i], sizeof(back));
	}
	free(kept);
}

static void to_wait_on_is_to_be_idle(void **state)
{
	const struct counters earlier = { .user_ns = 5, .sleep_ns = 100, .threads_ns = 105 };
	struct counters later = { .user_ns = 5, .sleep_ns = 900, .threads_ns = 905 };

	assert_true(counters_idle(&earlier, &later));
	later.ctx_voluntary = 1;
	assert_false(counters_idle(&earlier, &later));
}

static void wall_time_that_changes_its_class_counts_once(void **state)
{
	struct counters seen = { .wall_computing_ns = 10,
				 .wall_lock_ns = 90,
				 .wall_serial_ns = 10 };
	/* The gap was waiting for a child after all. */
	const struct counters now = { .wall_computing_ns = 30,
				      .wall_child_ns = 160,
				      .wall_serial_ns = 30,
				      .wall_lock_ns = 10 };

	advance(&seen, &now);
	assert_int_equal(seen.wall_lock_ns, 90);
	assert_int_equal(seen.wall_computing_ns + seen.wall_child_ns, 109); /* 110, rounded down */
	assert_int_equal(seen.wall_computing_ns, 21);
	assert_int_equal(seen.wall_serial_ns, 21);
	counters_end(&seen, &now);
	assert_int_equal(seen.wall_lock_ns, 10);
	assert_int_equal(seen.wall_computing_ns, 30);
	assert_int_equal(seen.wall_child_ns, 160);
	assert_int_equal(seen.wall_serial_ns, 30);
}

static void what_ended_had_the_memory_it_had_before(void **state)
{
	const struct counters before = { .rss_bytes = 70, .rss_anon_bytes = 60, .user_ns = 1 };
	const struct counters end = { .rss_peak_bytes = 90, .user_ns = 5 };
	const struct counters replaced = { .rss_bytes = 20, .rss_peak_bytes = 90 };
	const struct counters never = { 0 };

	assert_int_equal(counters_lived(&before, &end).rss_bytes, 70);
	assert_int_equal(counters_lived(&before, &end).rss_anon_bytes, 60);
	assert_int_equal(counters_lived(&before, &end).user_ns, 5);
	assert_int_equal(counters_lived(&before, &replaced).rss_bytes, 20);
	assert_int_equal(counters_lived(&never, &end).rss_bytes, 90);
	assert_int_equal(counters_lived(&never, &end).rss_anon_bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_never_fall),
		cmocka_unit_test(time_that_was_a_wait_is_not_runnable_too),
		cmocka_unit_test(growth_of_many_readings_adds_up_to_the_last),
		cmocka_unit_test(levels_follow_and_peaks_stay),
		cmocka_unit_test(what_is_carried_is_times_and_faults_and_nothing_else),
		cmocka_unit_test(what_is_kept_comes_back_as_it_was),
		cmocka_unit_test(to_wait_on_is_to_be_idle),
		cmocka_unit_test(wall_time_that_changes_its_class_counts_once),
		cmocka_unit_test(what_ended_had_the_memory_it_had_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
