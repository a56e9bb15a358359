/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/memory/budget.h"

static void a_budget_is_taken_up_to_its_limit_and_no_further(void **state)
{
	struct memory_budget budget = { .limit = 100 };

	assert_true(memory_budget_take(&budget, 60));
	assert_false(memory_budget_take(&budget, 41));
	assert_false(memory_budget_take(&budget, SIZE_MAX));
	assert_true(memory_budget_take(&budget, 40));
	memory_budget_give(&budget, 100);
	assert_int_equal(budget.held, 0);
}

static void a_buffer_holds_what_it_allocated_until_it_is_cleared(void **state)
{
	struct memory_budget budget = { .limit = 1000 };
	struct buffer buffer;

	buffer_init(&buffer, 0);
	buffer_charge(&buffer, &budget);
	for (int i = 0; i < 300; i++)
		buffer_append_char(&buffer, 'x');
	assert_int_equal(budget.held, buffer.capacity);
	assert_true(buffer.capacity > 300);
	for (int i = 0; i < 1000; i++)
		buffer_append_char(&buffer, 'x');
	assert_true(buffer.failed && buffer.over_budget);
	buffer_clear(&buffer);
	assert_int_equal(budget.held, 0);
	assert_false(buffer.failed || buffer.over_budget);
	buffer_append_char(&buffer, 'y');
	assert_int_equal(budget.held, buffer.capacity);
	buffer_clear(&buffer);
}

static void what_is_taken_out_stays_charged_until_it_is_given_back(void **state)
{
	struct memory_budget budget = { .limit = 1000 };
	struct buffer buffer;
	size_t charged;
	char *text;

	buffer_init(&buffer, 0);
	buffer_charge(&buffer, &budget);
	buffer_append_text(&buffer, "text");
	text = buffer_take_charged(&buffer, &charged);
	assert_string_equal(text, "text");
	assert_true(charged > 4);
	assert_int_equal(budget.held, charged);
	memory_budget_give(&budget, charged);
	free(text);
	buffer_append_text(&buffer, "text");
	free(buffer_take(&buffer));
	assert_int_equal(budget.held, 0);
	free(buffer_take_charged(&buffer, &charged));
	assert_int_equal(charged, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_budget_is_taken_up_to_its_limit_and_no_further),
		cmocka_unit_test(a_buffer_holds_what_it_allocated_until_it_is_cleared),
		cmocka_unit_test(what_is_taken_out_stays_charged_until_it_is_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
