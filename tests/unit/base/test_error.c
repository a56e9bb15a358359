/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/error.h"

static void setting_returns_the_code_and_keeps_the_words(void **state)
{
	struct error err;

	assert_int_equal(error_set(&err, -EINVAL, "port %d is in use", 80), -EINVAL);
	assert_string_equal(error_text(&err), "port 80 is in use");
}

static void words_are_cut_at_the_end_of_the_buffer(void **state)
{
	struct error err;
	char long_text[2000];

	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	error_set(&err, -EIO, "%s", long_text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

static void words_stay_one_line_whatever_they_quote(void **state)
{
	struct error err;

	error_set(&err, -EINVAL, "unknown key '%s'", "a\nb\033[2J\x7f");
	assert_string_equal(err.text, "unknown key 'a b?[2J?'");
}

static void nobody_need_want_the_words(void **state)
{
	assert_int_equal(error_set(NULL, -EIO, "x"), -EIO);
	assert_string_equal(error_text(NULL), "unknown error");
	assert_string_equal(error_text(&(struct error){ "" }), "unknown error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_returns_the_code_and_keeps_the_words),
		cmocka_unit_test(words_are_cut_at_the_end_of_the_buffer),
		cmocka_unit_test(words_stay_one_line_whatever_they_quote),
		cmocka_unit_test(nobody_need_want_the_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
