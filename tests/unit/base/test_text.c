/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

static void the_nearest_word_is_meant_or_none(void **state)
{
	static const char *const words[] = { "ship.lake-url", "ship.token-file", "sample", "x" };
	static const struct {
		const char *word, *nearest;
	} rows[] = {
		{ "ship.lake-ur", "ship.lake-url" },
		{ "ship.lakeurl", "ship.lake-url" },
		{ "shp.tokn-file", "ship.token-file" },
		{ "sampel", "sample" },
		{ "sample", "sample" },
		{ "", "x" },
		{ "y", "x" },
		{ "database", NULL },
		{ "something else altogether", NULL },
	};
	char huge[200];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *nearest = text_nearest(rows[i].word, words, 4);

		if (rows[i].nearest)
			assert_string_equal(nearest, rows[i].nearest);
		else
			assert_null(nearest);
	}
	memset(huge, 'a', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';
	assert_null(text_nearest(huge, words, 4));
	assert_null(text_nearest("x", NULL, 0));
}

static void bytes_are_written_for_people(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
		{ 0, "0 B" },
		{ 1, "1 B" },
		{ 999, "999 B" },
		{ 1000, "1.0 KiB" },
		{ 1023, "1.0 KiB" },
		{ 1024, "1.0 KiB" },
		{ 1536, "1.5 KiB" },
		{ 102348, "99.9 KiB" },
		{ 102400, "100 KiB" },
		{ 1023 * 1024, "1.0 MiB" },
		{ 1610612736, "1.5 GiB" },
		{ UINT64_MAX, "16.0 EiB" },
	};
	char text[32];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(text_bytes(rows[i].bytes, text, sizeof(text)), rows[i].text);
}

static void durations_are_written_for_people(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 310 * NS_PER_US, "310 µs" },
		{ 850 * NS_PER_MS, "850 ms" },
		{ 999999999, "999 ms" },
		{ NS_PER_S, "1.0 s" },
		{ 12345 * NS_PER_MS, "12.3 s" },
		{ 59999 * NS_PER_MS, "59.9 s" },
		{ 60 * NS_PER_S, "1m 00s" },
		{ 184 * NS_PER_S, "3m 04s" },
		{ 3720 * NS_PER_S, "1h 02m" },
		{ 86399 * NS_PER_S, "23h 59m" },
		{ 90000 * NS_PER_S, "1d 01h" },
		{ UINT64_MAX, "213503d 23h" },
	};
	char text[32];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(text_duration(rows[i].ns, text, sizeof(text)), rows[i].text);
}

static void sizes_are_read_as_people_write_them(void **state)
{
	static const struct {
		const char *text;
		int r;
		uint64_t bytes;
	} rows[] = {
		{ "0", 0, 0 },
		{ "1000", 0, 1000 },
		{ "8G", 0, 8ULL << 30 },
		{ "512M", 0, 512 << 20 },
		{ "1.5GiB", 0, 1610612736 },
		{ "2kb", 0, 2048 },
		{ "2Ki", 0, 2048 },
		{ "4 GB", 0, 4ULL << 30 },
		{ "10B", 0, 10 },
		{ "0.5k", 0, 512 },
		{ "15E", 0, 15ULL << 60 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "16E", -ERANGE, 0 },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "G", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "8GX", -EINVAL, 0 },
		{ "8X", -EINVAL, 0 },
		{ "1.", -EINVAL, 0 },
		{ ".5G", -EINVAL, 0 },
		{ "8 ", 0, 8 },
		{ " 8", -EINVAL, 0 },
		{ "8GiBs", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t bytes = 0;

		assert_int_equal(text_parse_bytes(rows[i].text, &bytes), rows[i].r);
		assert_true(bytes == rows[i].bytes);
	}
}

static void a_size_that_cannot_be_read_leaves_the_result_alone(void **state)
{
	uint64_t bytes = 7;

	assert_int_equal(text_parse_bytes("x", &bytes), -EINVAL);
	assert_int_equal(bytes, 7);
}

static void the_base_name_is_behind_the_last_slash(void **state)
{
	assert_string_equal(text_basename("/usr/bin/samtools"), "samtools");
	assert_string_equal(text_basename("samtools"), "samtools");
	assert_string_equal(text_basename("/usr/bin/"), "");
	assert_string_equal(text_basename(""), "");
}

static void a_text_is_cut_at_its_length_or_its_room(void **state)
{
	char text[4];

	assert_string_equal(text_cut("abcdef", 2, text, sizeof(text)), "ab");
	assert_string_equal(text_cut("abcdef", 3, text, sizeof(text)), "abc");
	assert_string_equal(text_cut("abcdef", 4, text, sizeof(text)), "abc");
	assert_string_equal(text_cut("abcdef", 6, text, sizeof(text)), "abc");
	assert_string_equal(text_cut("", 0, text, sizeof(text)), "");
}

static void letters_and_digits_are_those_of_ascii(void **state)
{
	for (int byte = 0; byte < 256; byte++) {
		bool letter = byte &&
			      strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", byte);
		bool digit = byte && strchr("0123456789", byte);

		assert_int_equal(text_is_letter((char)byte), letter);
		assert_int_equal(text_is_alnum((char)byte), letter || digit);
	}
}

static void starts_and_ends(void **state)
{
	assert_true(text_starts_with("snakemake", "snake"));
	assert_true(text_starts_with("x", ""));
	assert_false(text_starts_with("snake", "snakemake"));
	assert_true(text_ends_with("a.bam", ".bam"));
	assert_true(text_ends_with("a.bam", ""));
	assert_false(text_ends_with("bam", ".bam"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_word_is_meant_or_none),
		cmocka_unit_test(bytes_are_written_for_people),
		cmocka_unit_test(durations_are_written_for_people),
		cmocka_unit_test(sizes_are_read_as_people_write_them),
		cmocka_unit_test(a_size_that_cannot_be_read_leaves_the_result_alone),
		cmocka_unit_test(the_base_name_is_behind_the_last_slash),
		cmocka_unit_test(a_text_is_cut_at_its_length_or_its_room),
		cmocka_unit_test(letters_and_digits_are_those_of_ascii),
		cmocka_unit_test(starts_and_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
