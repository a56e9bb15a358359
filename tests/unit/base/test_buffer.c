/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"

static void an_empty_buffer_is_an_empty_text(void **state)
{
	CLEANUP(buffer_clear) struct buffer buffer;

	buffer_init(&buffer, 0);
	assert_string_equal(buffer.data, "");
	buffer_append(&buffer, "", 0);
	buffer_append_text(&buffer, "");
	buffer_printf(&buffer, "%s", "");
	assert_int_equal(buffer.len, 0);
	assert_int_equal(buffer.capacity, 0);
}

static void appends_follow_each_other_and_end_in_a_nul(void **state)
{
	CLEANUP(buffer_clear) struct buffer buffer;

	buffer_init(&buffer, 0);
	for (int i = 0; i < 1000; i++) {
		buffer_printf(&buffer, "%d", i % 10);
		buffer_append_char(&buffer, ',');
		assert_int_equal(buffer.data[buffer.len], '\0');
	}
	assert_int_equal(buffer.len, 2000);
	assert_memory_equal(buffer.data + 1990, "5,6,7,8,9,", 10);
}

static void bytes_may_be_nuls(void **state)
{
	CLEANUP(buffer_clear) struct buffer buffer;

	buffer_init(&buffer, 0);
	buffer_append(&buffer, "a\0b", 3);
	assert_int_equal(buffer.len, 3);
	assert_memory_equal(buffer.data, "a\0b", 4);
}

static void len_may_reach_the_limit_and_not_pass_it(void **state)
{
	CLEANUP(buffer_clear) struct buffer buffer;

	buffer_init(&buffer, 100);
	for (int i = 0; i < 100; i++)
		buffer_append_char(&buffer, 'x');
	assert_false(buffer.failed);
	assert_int_equal(buffer.len, 100);
	buffer_append_char(&buffer, 'x');
	assert_true(buffer.failed);
	assert_int_equal(buffer.len, 100);
}

static void after_a_failure_nothing_is_appended_until_reset(void **state)
{
	CLEANUP(buffer_clear) struct buffer buffer;

	buffer_init(&buffer, 4);
	buffer_append_text(&buffer, "abc");
	buffer_append_text(&buffer, "de");
	buffer_append_char(&buffer, 'f');
	buffer_printf(&buffer, "%d", 1);
	assert_true(buffer.failed);
	assert_string_equal(buffer.data, "abc");
	buffer_reset(&buffer);
	assert_false(buffer.failed);
	assert_string_equal(buffer.data, "");
	buffer_append_text(&buffer, "abcde");
	assert_null(buffer_take(&buffer));
}

static void what_is_taken_is_the_callers(void **state)
{
	CLEANUP(buffer_clear) struct buffer buffer;
	CLEANUP(freep) char *text = NULL, *empty = NULL;

	buffer_init(&buffer, 0);
	empty = buffer_take(&buffer);
	assert_string_equal(empty, "");
	buffer_append_text(&buffer, "abc");
	text = buffer_take(&buffer);
	assert_string_equal(text, "abc");
	assert_int_equal(buffer.len, 0);
	buffer_append_text(&buffer, "def");
	assert_string_equal(buffer.data, "def");
	assert_string_equal(text, "abc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_is_an_empty_text),
		cmocka_unit_test(appends_follow_each_other_and_end_in_a_nul),
		cmocka_unit_test(bytes_may_be_nuls),
		cmocka_unit_test(len_may_reach_the_limit_and_not_pass_it),
		cmocka_unit_test(after_a_failure_nothing_is_appended_until_reset),
		cmocka_unit_test(what_is_taken_is_the_callers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
