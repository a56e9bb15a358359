/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/utf8.h"
#include "correlate/label/shape.h"

static bool add(struct shape *shape, uint64_t start_ns, enum rule_kind kind, const char *name)
{
	const struct rule rule = { .kind = kind };
	const struct command command = { .subject = name, .rule = &rule };

	const struct tree_image image = { .start_ns = start_ns, .image_seq = 1 };
	struct exec_view exec = { .image = &image, .command = &command };

	(void)snprintf(exec.name, sizeof(exec.name), "%s", name);
	return shape_add(shape, &exec);
}

static void the_order_of_arrival_does_not_matter(void **state)
{
	static const char *const names[] = { "a", "b", "c", "a", "d", "e", "b" };
	unsigned seed = 3;

	for (int round = 0; round < 200; round++) {
		struct shape shape = { 0 };
		char label[SHAPE_LABEL_SIZE];
		size_t order[7] = { 0, 1, 2, 3, 4, 5, 6 };

		for (size_t i = 7; i > 1; i--) {
			size_t other = (size_t)rand_r(&seed) % i, moved = order[i - 1];

			order[i - 1] = order[other];
			order[other] = moved;
		}
		for (size_t i = 0; i < 7; i++)
			add(&shape, order[i], RULE_TOOL, names[order[i]]);
		assert_string_equal(shape_label(&shape, "", label), "a, b, c, d, e");
		shape_clear(&shape);
	}
}

static void beyond_the_cap_the_earliest_tools_stay_whatever_comes_first(void **state)
{
	for (int backwards = 0; backwards < 2; backwards++) {
		struct shape shape = { 0 };
		char label[SHAPE_LABEL_SIZE], name[8];

		for (unsigned i = 0; i < 100; i++) {
			unsigned at = backwards ? 99 - i : i;

			snprintf(name, sizeof(name), "t%02u", at);
			add(&shape, at, at % 2 ? RULE_HELPER : RULE_TOOL, name);
		}
		assert_int_equal(shape.count, SHAPE_TOOL_LIMIT);
		shape_label(&shape, "", label);
		assert_memory_equal(label, "t00, t02, t04, t06", 18);
		assert_non_null(strstr(label, "t46"));
		assert_null(strstr(label, "t48"));
		assert_string_equal(label + strlen(label) - 4, " …");
		shape_clear(&shape);
	}
}

static void a_long_label_is_cut_between_tools(void **state)
{
	struct shape shape = { 0 };
	char label[SHAPE_LABEL_SIZE], name[64];

	for (unsigned i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "%u%050d", i, 0);
		add(&shape, i, RULE_TOOL, name);
	}
	shape_label(&shape, "", label);
	assert_true(strlen(label) < SHAPE_LABEL_SIZE);
	assert_true(utf8_valid(label, strlen(label)));
	assert_string_equal(label + strlen(label) - 4, " …");
	shape_clear(&shape);
}

static void a_tool_that_comes_again_changes_nothing(void **state)
{
	struct shape shape = { 0 };

	assert_true(add(&shape, 1, RULE_TOOL, "a"));
	assert_false(add(&shape, 2, RULE_TOOL, "a"));
	assert_false(add(&shape, 1, RULE_TOOL, "a"));
	assert_false(add(&shape, 1, RULE_TOOL, ""));
	shape_clear(&shape);
}

static void pipes_come_from_the_text_and_helpers_between_are_looked_through(void **state)
{
	struct shape shape = { 0 };
	char label[SHAPE_LABEL_SIZE];

	add(&shape, 1, RULE_TOOL, "x");
	assert_string_equal(shape_label(&shape, "x | cat | y", label), "x");
	add(&shape, 3, RULE_TOOL, "y");
	assert_string_equal(shape_label(&shape, "x | cat | y", label), "x | y");
	add(&shape, 2, RULE_HELPER, "cat");
	add(&shape, 4, RULE_TOOL, "z");
	assert_string_equal(shape_label(&shape, "/opt/x 1 | cat | y; z", label), "x | y, z");
	assert_string_equal(shape_label(&shape, "x | cat && y; z", label), "x, y, z");
	assert_string_equal(shape_label(&shape, "z | y | x", label), "x, y, z");
	shape_clear(&shape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_arrival_does_not_matter),
		cmocka_unit_test(beyond_the_cap_the_earliest_tools_stay_whatever_comes_first),
		cmocka_unit_test(a_long_label_is_cut_between_tools),
		cmocka_unit_test(a_tool_that_comes_again_changes_nothing),
		cmocka_unit_test(pipes_come_from_the_text_and_helpers_between_are_looked_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
