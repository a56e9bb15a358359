/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/map.h"

DEFINE_CLEANUP(struct map *, map_free)

static int values[10000];

static void what_was_put_is_found_and_nothing_else(void **state)
{
	CLEANUP(map_freep) struct map *map = map_new(sizeof(uint64_t), 10000);

	for (uint64_t key = 0; key < 10000; key++)
		assert_int_equal(map_put(map, &key, &values[key]), 0);
	for (uint64_t key = 0; key < 10000; key++)
		assert_ptr_equal(map_get(map, &key), &values[key]);
	assert_null(map_get(map, &(uint64_t){ 10000 }));
	assert_int_equal(map_count(map), 10000);
}

static void a_table_of_texts_is_a_table(void **state)
{
	CLEANUP(map_freep) struct map *map = map_new_of_texts(10000);
	char text[16];

	for (int i = 0; i < 10000; i++) {
		struct map_text_key key =
			map_text_key(text, (size_t)snprintf(text, sizeof(text), "tool%d", i));

		assert_null(map_get(map, &key));
		assert_int_equal(map_put(map, &key, &values[i]), 0);
	}
	for (int i = 0; i < 10000; i += 2) {
		struct map_text_key key =
			map_text_key(text, (size_t)snprintf(text, sizeof(text), "tool%d", i));

		assert_ptr_equal(map_remove(map, &key), &values[i]);
		assert_null(map_get(map, &key));
	}
	assert_int_equal(map_count(map), 5000);
	assert_ptr_equal(map_get(map, &(struct map_text_key){ .words = { 0 } }), NULL);
}

static void putting_again_replaces(void **state)
{
	CLEANUP(map_freep) struct map *map = map_new(1, 1);

	assert_int_equal(map_put(map, "a", &values[0]), 0);
	assert_int_equal(map_put(map, "a", &values[1]), 0);
	assert_ptr_equal(map_get(map, "a"), &values[1]);
	assert_int_equal(map_count(map), 1);
}

static void the_cap_is_hard_and_a_removal_makes_room(void **state)
{
	CLEANUP(map_freep) struct map *map = map_new(1, 2);

	assert_int_equal(map_put(map, "a", values), 0);
	assert_int_equal(map_put(map, "b", values), 0);
	assert_int_equal(map_put(map, "c", values), -ENOSPC);
	assert_null(map_get(map, "c"));
	assert_ptr_equal(map_remove(map, "a"), values);
	assert_null(map_remove(map, "a"));
	assert_int_equal(map_put(map, "c", values), 0);
	assert_int_equal(map_count(map), 2);
}

static void keys_may_hold_nuls_and_are_copied(void **state)
{
	CLEANUP(map_freep) struct map *map = map_new(4, 10);
	char key[4] = { 0, 1, 0, 2 };

	assert_int_equal(map_put(map, key, values), 0);
	key[3] = 3;
	assert_null(map_get(map, key));
	key[3] = 2;
	assert_ptr_equal(map_get(map, key), values);
}

struct visitor {
	struct map *map;
	size_t seen, limit;
};

static bool remove_even(const void *key, void *value, void *context)
{
	struct visitor *visitor = context;
	uint64_t number;

	memcpy(&number, key, sizeof(number));
	assert_ptr_equal(value, &values[number]);
	visitor->seen++;
	if (number % 2 == 0)
		assert_ptr_equal(map_remove(visitor->map, key), value);
	return visitor->seen < visitor->limit;
}

static void a_visit_sees_each_once_though_it_removes_them(void **state)
{
	CLEANUP(map_freep) struct map *map = map_new(sizeof(uint64_t), 10000);
	struct visitor visitor = { .map = map, .limit = SIZE_MAX };

	for (uint64_t key = 0; key < 1000; key++)
		assert_int_equal(map_put(map, &key, &values[key]), 0);
	map_visit(map, remove_even, &visitor);
	assert_int_equal(visitor.seen, 1000);
	assert_int_equal(map_count(map), 500);
	assert_null(map_get(map, &(uint64_t){ 2 }));
	assert_non_null(map_get(map, &(uint64_t){ 3 }));
}

static void a_visit_stops_when_told(void **state)
{
	CLEANUP(map_freep) struct map *map = map_new(sizeof(uint64_t), 10000);
	struct visitor visitor = { .map = map, .limit = 3 };

	for (uint64_t key = 0; key < 100; key++)
		assert_int_equal(map_put(map, &key, &values[key]), 0);
	map_visit(map, remove_even, &visitor);
	assert_int_equal(visitor.seen, 3);
}

static void text_keys_are_equal_when_the_texts_are(void **state)
{
	struct map_text_key a = map_text_key("abc", 3), same = map_text_key("abcd", 3),
			    other = map_text_key("abd", 3);

	assert_memory_equal(&a, &same, sizeof(a));
	assert_memory_not_equal(&a, &other, sizeof(a));
	assert_true(a.words[0] != a.words[1]);
}

static void freeing_nothing_is_fine(void **state)
{
	map_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_is_found_and_nothing_else),
		cmocka_unit_test(a_table_of_texts_is_a_table),
		cmocka_unit_test(putting_again_replaces),
		cmocka_unit_test(the_cap_is_hard_and_a_removal_makes_room),
		cmocka_unit_test(keys_may_hold_nuls_and_are_copied),
		cmocka_unit_test(a_visit_sees_each_once_though_it_removes_them),
		cmocka_unit_test(a_visit_stops_when_told),
		cmocka_unit_test(text_keys_are_equal_when_the_texts_are),
		cmocka_unit_test(freeing_nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
