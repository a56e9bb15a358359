/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "server/query/run_cache.h"
#include "server/query/run_wall.h"

static const struct run_stamp CLOSED = { 7, false }, CHANGED = { 8, false }, OPEN = { 7, true };

/* What was found for a run: the cache has the only reference. */
static void keep(struct run_cache *cache, const char *id, const struct run_stamp *stamp,
		 size_t images, uint64_t began_ns)
{
	struct run_wall *walls = calloc(1, sizeof(*walls));

	assert_non_null(walls);
	walls->references = 1;
	walls->image_count = images;
	run_cache_put(cache, id, stamp, walls, images, began_ns);
	run_wall_put(walls);
}

static bool has(struct run_cache *cache, const char *id, const struct run_stamp *stamp,
		uint64_t now_ns)
{
	struct run_wall *walls = run_cache_get(cache, id, stamp, now_ns);

	run_wall_put(walls);
	return walls;
}

static void what_was_found_is_right_until_the_run_changes(void **state)
{
	struct run_cache *cache = run_cache_new(&RUN_WALL_CACHE);
	uint64_t now_ns = clock_monotonic_ns();

	assert_false(has(cache, "run", &CLOSED, now_ns));
	keep(cache, "run", &CLOSED, 1, now_ns);
	assert_true(has(cache, "run", &CLOSED, now_ns + 1000 * NS_PER_S));
	assert_false(has(cache, "other", &CLOSED, now_ns));
	assert_false(has(cache, "run", &CHANGED, now_ns));
	assert_false(has(cache, "run", &OPEN, now_ns));
	keep(cache, "run", &CHANGED, 1, now_ns);
	assert_true(has(cache, "run", &CHANGED, now_ns));
	assert_false(has(cache, "run", &CLOSED, now_ns));
	run_cache_free(cache);
}

/* It took 2 s or more to find: within 20 s it is found again, and no longer than ten times that. */
static void an_open_run_is_found_again_for_ten_times_as_long(void **state)
{
	struct run_cache *cache = run_cache_new(&RUN_WALL_CACHE);
	uint64_t now_ns = clock_monotonic_ns() + 1;

	keep(cache, "run", &OPEN, 1, now_ns - 2 * NS_PER_S);
	assert_true(has(cache, "run", &OPEN, now_ns + 19 * NS_PER_S));
	assert_false(has(cache, "run", &OPEN, now_ns + 10000 * NS_PER_S));
	assert_false(has(cache, "run", &CLOSED, now_ns));
	run_cache_free(cache);
}

static void the_last_value_is_found_whatever_its_stamp(void **state)
{
	struct run_cache *cache = run_cache_new(&RUN_WALL_CACHE);
	struct run_wall *last;

	assert_null(run_cache_last(cache, "run"));
	keep(cache, "run", &CLOSED, 3, clock_monotonic_ns());
	keep(cache, "run", &CHANGED, 4, clock_monotonic_ns());
	last = run_cache_last(cache, "run");
	assert_non_null(last);
	assert_int_equal(last->image_count, 4);
	assert_null(run_cache_last(cache, "other"));
	run_cache_free(cache);
	assert_int_equal(last->image_count, 4);
	run_wall_put(last);
}

/* One that is in use stays until it is released. */
static void runs_asked_for_longest_ago_make_room(void **state)
{
	struct run_cache *cache = run_cache_new(&RUN_WALL_CACHE);
	uint64_t now_ns = clock_monotonic_ns();
	struct run_wall *held;
	char id[16];

	keep(cache, "first", &CLOSED, 400000, now_ns);
	keep(cache, "second", &CLOSED, 400000, now_ns);
	held = run_cache_get(cache, "second", &CLOSED, now_ns);
	assert_non_null(held);
	assert_true(has(cache, "first", &CLOSED, clock_monotonic_ns() + NS_PER_S));
	keep(cache, "third", &CLOSED, 400000, now_ns);
	assert_false(has(cache, "second", &CLOSED, now_ns));
	assert_true(has(cache, "first", &CLOSED, now_ns));
	assert_true(has(cache, "third", &CLOSED, now_ns));
	assert_int_equal(held->image_count, 400000);
	run_wall_put(held);
	for (int i = 0; i < 100; i++) {
		snprintf(id, sizeof(id), "run %d", i);
		keep(cache, id, &CLOSED, 1, now_ns);
	}
	assert_false(has(cache, "first", &CLOSED, now_ns));
	assert_true(has(cache, "run 99", &CLOSED, now_ns));
	keep(cache, "too large", &CLOSED, 5000000, now_ns);
	assert_false(has(cache, "too large", &CLOSED, now_ns));
	assert_true(has(cache, "run 99", &CLOSED, now_ns));
	run_cache_free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_found_is_right_until_the_run_changes),
		cmocka_unit_test(an_open_run_is_found_again_for_ten_times_as_long),
		cmocka_unit_test(the_last_value_is_found_whatever_its_stamp),
		cmocka_unit_test(runs_asked_for_longest_ago_make_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
