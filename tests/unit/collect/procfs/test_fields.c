/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "collect/procfs/fields.h"

static void words_and_numbers_are_taken_in_turn(void **state)
{
	const char *text = "  cpu0 12\t18446744073709551615\nnext 1";
	uint64_t number;
	char word[8];

	assert_true(fields_word(&text, word, sizeof(word)));
	assert_string_equal(word, "cpu0");
	assert_true(fields_u64(&text, &number));
	assert_int_equal(number, 12);
	assert_true(fields_u64(&text, &number));
	assert_true(number == UINT64_MAX);
	/* The line ends here. */
	assert_false(fields_word(&text, word, sizeof(word)));
	assert_false(fields_u64(&text, &number));
	assert_false(fields_skip(&text, 1));
}

static void what_is_no_number_is_not_taken(void **state)
{
	static const char *const texts[] = { "",     "-1", "+1", "x", "1x", "18446744073709551616",
					     "0x10", "." };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const char *text = texts[i];
		uint64_t number = 7;

		assert_false(fields_u64(&text, &number));
		assert_ptr_equal(text, texts[i]);
		assert_int_equal(number, 7);
	}
}

static void a_word_that_does_not_fit_is_not_cut(void **state)
{
	const char *text = "12345678 x";
	char word[8];

	assert_false(fields_word(&text, word, sizeof(word)));
	assert_true(fields_skip(&text, 1));
	assert_true(fields_word(&text, word, sizeof(word)));
	assert_string_equal(word, "x");
}

static void a_row_needs_all_its_numbers(void **state)
{
	const char *text = "1 2 3";
	uint64_t row[4];

	assert_true(fields_u64s(&text, row, 3));
	assert_int_equal(row[2], 3);
	text = "1 2 3";
	assert_false(fields_u64s(&text, row, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_and_numbers_are_taken_in_turn),
		cmocka_unit_test(what_is_no_number_is_not_taken),
		cmocka_unit_test(a_word_that_does_not_fit_is_not_cut),
		cmocka_unit_test(a_row_needs_all_its_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
