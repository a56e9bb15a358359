/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/publish.h"

#define MS    ((uint64_t)(1000 * 1000))
#define HOUR  (3600 * 1000 * MS)
#define BEGAN HOUR /* of the first message */

/* Makes the message as often as it may be made from `now_ns` until `until_ns`; how often. */
static unsigned make(struct publish_pace *pace, uint64_t now_ns, uint64_t until_ns,
		     uint64_t cost_ns)
{
	unsigned times = 0;

	for (; now_ns < until_ns; now_ns += 10 * MS) {
		if (now_ns < pace->next_ns)
			continue;
		publish_took(pace, now_ns, cost_ns);
		times++;
	}
	return times;
}

static void changes_in_a_short_time_are_sent_together(void **state)
{
	struct publish_pace pace = { 0 };

	publish_took(&pace, BEGAN, MS);
	assert_int_equal(pace.next_ns, BEGAN + PUBLISH_PAUSE_MIN_NS);
}

static void a_change_after_silence_does_not_wait_for_what_the_one_before_took(void **state)
{
	struct publish_pace pace = { 0 };

	publish_took(&pace, BEGAN, 100 * MS);
	publish_took(&pace, BEGAN + 300 * MS, 100 * MS);
	assert_int_equal(pace.next_ns, BEGAN + 300 * MS + PUBLISH_PAUSE_MIN_NS);
}

static void making_it_costs_its_share_of_the_time(void **state)
{
	uint64_t saved = PUBLISH_SAVED_NS / PUBLISH_SHARE, share = HOUR / 10 / PUBLISH_SHARE;

	for (uint64_t cost = 100 * MS; cost <= PUBLISH_PAUSE_MAX_NS / PUBLISH_SHARE; cost *= 3) {
		struct publish_pace pace = { 0 };
		unsigned times = make(&pace, BEGAN, BEGAN + HOUR / 10, cost);

		assert_in_range(times * cost, share - saved - cost, share + saved + cost);
	}
}

static void a_change_after_many_waits_for_a_second(void **state)
{
	struct publish_pace pace = { 0 };
	uint64_t now_ns = BEGAN;

	for (unsigned i = 0; i < 100; i++, now_ns = pace.next_ns) {
		publish_took(&pace, now_ns, 100 * MS);
		assert_true(pace.next_ns <= now_ns + PUBLISH_PAUSE_NS);
	}
}

static void no_watcher_waits_longer_than_the_longest_pause(void **state)
{
	struct publish_pace pace = { 0 };

	for (uint64_t now_ns = BEGAN; now_ns < BEGAN + HOUR / 60; now_ns = pace.next_ns) {
		publish_took(&pace, now_ns, 4000 * MS);
		assert_true(pace.next_ns <= now_ns + PUBLISH_PAUSE_MAX_NS);
	}
}

static void it_can_be_made_right_after_the_host_started(void **state)
{
	struct publish_pace pace = { 0 };

	publish_took(&pace, 10 * MS, 10 * MS);
	assert_int_equal(pace.next_ns, 10 * MS + PUBLISH_PAUSE_MIN_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_in_a_short_time_are_sent_together),
		cmocka_unit_test(a_change_after_silence_does_not_wait_for_what_the_one_before_took),
		cmocka_unit_test(making_it_costs_its_share_of_the_time),
		cmocka_unit_test(a_change_after_many_waits_for_a_second),
		cmocka_unit_test(no_watcher_waits_longer_than_the_longest_pause),
		cmocka_unit_test(it_can_be_made_right_after_the_host_started),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
