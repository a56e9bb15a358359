/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/utf8.h"

static void sequences_are_those_of_the_standard(void **state)
{
	static const struct {
		const char *text;
		size_t len, sequence;
	} rows[] = {
		{ "a", 1, 1 },
		{ "\0", 1, 1 },
		{ "\x7f", 1, 1 },
		{ "\xc2\x80", 2, 2 },
		{ "\xdf\xbf", 2, 2 },
		{ "\xe0\xa0\x80", 3, 3 },
		{ "\xed\x9f\xbf", 3, 3 },
		{ "\xef\xbf\xbf", 3, 3 },
		{ "\xf0\x90\x80\x80", 4, 4 },
		{ "\xf4\x8f\xbf\xbf", 4, 4 },
		/* alone, overlong, surrogate, too high, cut */
		{ "\x80", 1, 0 },
		{ "\xbf", 1, 0 },
		{ "\xc0\x80", 2, 0 },
		{ "\xc1\xbf", 2, 0 },
		{ "\xe0\x9f\xbf", 3, 0 },
		{ "\xed\xa0\x80", 3, 0 },
		{ "\xf0\x8f\xbf\xbf", 4, 0 },
		{ "\xf4\x90\x80\x80", 4, 0 },
		{ "\xf5\x80\x80\x80", 4, 0 },
		{ "\xff", 1, 0 },
		{ "\xc3", 1, 0 },
		{ "\xe2\x82", 2, 0 },
		{ "\xe2\x82z", 3, 0 },
		{ "\xf0\x9f\x98", 3, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(utf8_sequence(rows[i].text, rows[i].len), rows[i].sequence);
		assert_int_equal(utf8_valid(rows[i].text, rows[i].len), rows[i].sequence > 0);
	}
}

static void repair_replaces_each_byte_of_no_sequence(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;

	buffer_init(&out, 0);
	utf8_repair("a\xff"
		    "b\xe2\x82\xac\xe2\x82",
		    8, &out);
	assert_string_equal(out.data, "a\xef\xbf\xbd"
				      "b\xe2\x82\xac\xef\xbf\xbd\xef\xbf\xbd");
	assert_true(utf8_valid(out.data, out.len));
}

static void what_is_valid_is_not_changed(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;

	buffer_init(&out, 0);
	utf8_repair("caf\xc3\xa9", 5, &out);
	assert_string_equal(out.data, "caf\xc3\xa9");
	buffer_reset(&out);
	utf8_repair("", 0, &out);
	assert_int_equal(out.len, 0);
}

static void a_control_character_anywhere_is_not_plain(void **state)
{
	for (size_t len = 1; len <= 20; len++) {
		for (size_t at = 0; at < len; at++) {
			for (int byte = 0; byte < 256; byte++) {
				char text[20];

				memset(text, byte & 1 ? ' ' : '~', sizeof(text));
				text[at] = (char)byte;
				assert_int_equal(utf8_is_plain(text, len),
						 byte >= 0x20 && byte < 0x7f);
			}
		}
	}
	assert_true(utf8_is_plain("", 0));
	assert_true(utf8_is_plain("a long text of a caf\xc3\xa9 with an end", 34));
	assert_false(utf8_is_plain("a long text that turns\xe2\x80\xae the direction", 39));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences_are_those_of_the_standard),
		cmocka_unit_test(repair_replaces_each_byte_of_no_sequence),
		cmocka_unit_test(what_is_valid_is_not_changed),
		cmocka_unit_test(a_control_character_anywhere_is_not_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
