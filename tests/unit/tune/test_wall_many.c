/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdint.h>
#include <stdlib.h>

#include "tune/wall.h"

#define S(n) ((int64_t)(n)*1000000000)

/* One after the other: a search from the start for each would take 20,000 times as many steps, of
 * which there is an end. */
static void many_children(int helper)
{
	const struct wall_span span = { 0, S(20001), 0 };
	const size_t count = 20001;
	struct wall_image *images = calloc(count, sizeof(*images));
	struct wall wall;

	assert_non_null(images);
	for (size_t i = 0; i < count; i++) {
		images[i] = (struct wall_image){ .process = i,
						 .parent = i ? 0 : WALL_NONE,
						 .began_at = S(i),
						 .ended_at = S(i + 1),
						 .helper = helper };
		images[i].ns[WALL_COMPUTING] = 1e9;
	}
	images[0].ended_at = S(20001);
	images[0].ns[WALL_CHILD] = 20000e9;
	assert_int_equal(wall_find(images, count, &span, 1, &wall), 0);
	assert_float_equal(wall.ns[WALL_COMPUTING] / 1e9, 20001, 0.001);
	free(images);
}

static void many_children_are_found(void **state)
{
	many_children(0);
}

static void many_helpers_are_found(void **state)
{
	many_children(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_children_are_found),
		cmocka_unit_test(many_helpers_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
