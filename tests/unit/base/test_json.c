/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"

static void write_all(struct json *json)
{
	json_object_begin(json);
	json_key(json, "a");
	json_u64(json, UINT64_MAX);
	json_key(json, "b");
	json_array_begin(json);
	json_i64(json, INT64_MIN);
	json_bool(json, true);
	json_none(json);
	json_object_begin(json);
	json_object_end(json);
	json_array_end(json);
	json_key(json, "c");
	json_raw(json, "{\"x\":1}", 7);
	json_key(json, "d");
	json_text(json, NULL);
	json_key(json, "e");
	json_array_begin(json);
	json_array_end(json);
	json_object_end(json);
}

static void commas_and_colons_stand_where_they_belong(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;
	struct json json;

	buffer_init(&out, 0);
	json_init(&json, &out, false);
	write_all(&json);
	assert_string_equal(out.data, "{\"a\":18446744073709551615,\"b\":[-9223372036854775808,"
				      "true,null,{}],\"c\":{\"x\":1},\"d\":null,\"e\":[]}");
}

static void pretty_is_two_spaces_a_level(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;
	struct json json;

	buffer_init(&out, 0);
	json_init(&json, &out, true);
	write_all(&json);
	assert_string_equal(out.data,
			    "{\n  \"a\": 18446744073709551615,\n  \"b\": [\n"
			    "    -9223372036854775808,\n    true,\n    null,\n    {}\n  ],\n"
			    "  \"c\": {\"x\":1},\n  \"d\": null,\n  \"e\": []\n}");
}

static void texts_are_escaped_and_repaired(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		const char *json;
	} rows[] = {
		{ "", 0, "\"\"" },
		{ "a\"b\\c/", 6, "\"a\\\"b\\\\c/\"" },
		{ "\n\t\r\b\f", 5, "\"\\n\\t\\r\\b\\f\"" },
		{ "\x01\x1f\x7f", 3, "\"\\u0001\\u001f\\u007f\"" },
		{ "a\xc2\x85\xd8\x9c", 5, "\"a\\u0085\\u061c\"" },
		{ "\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xae", 9, "\"\\u200e\\u200f\\u202e\"" },
		{ "\xe2\x81\xa6-\xe2\x81\xa9", 7, "\"\\u2066-\\u2069\"" },
		{ "\xe2\x80\x93\xe2\x81\xaa", 6, "\"\xe2\x80\x93\xe2\x81\xaa\"" },
		{ "a\0b", 3, "\"a\\u0000b\"" },
		{ "caf\xc3\xa9 \xf0\x9f\x98\x80", 10, "\"caf\xc3\xa9 \xf0\x9f\x98\x80\"" },
		{ "\xff\xc3", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CLEANUP(buffer_clear) struct buffer out;
		struct json json;

		buffer_init(&out, 0);
		json_init(&json, &out, false);
		json_text_len(&json, rows[i].text, rows[i].len);
		assert_string_equal(out.data, rows[i].json);
	}
}

static void a_byte_is_escaped_wherever_it_stands(void **state)
{
	static const char plain[] = " !#[]^~0123456789azAZ";

	for (size_t at = 0; at < sizeof(plain) - 1; at++) {
		for (unsigned byte = 0; byte < 0x80; byte++) {
			CLEANUP(buffer_clear) struct buffer out;
			char text[sizeof(plain)], want[8];
			struct json json;

			buffer_init(&out, 0);
			json_init(&json, &out, false);
			json_text_len(&json, (const char[]){ (char)byte }, 1);
			snprintf(want, sizeof(want), "%.*s", (int)out.len - 2, out.data + 1);
			buffer_reset(&out);
			json_init(&json, &out, false);
			memcpy(text, plain, sizeof(plain));
			text[at] = (char)byte;
			json_text_len(&json, text, sizeof(plain) - 1);
			assert_int_equal(out.len, sizeof(plain) - 1 - 1 + strlen(want) + 2);
			assert_memory_equal(out.data + 1 + at, want, strlen(want));
			assert_memory_equal(out.data + 1, plain, at);
		}
	}
}

static void a_document_of_another_writer_commands_no_terminal(void **state)
{
	static const char document[] = "{\n  \"a\xc2\x9b\": \"\xe2\x80\xae\x7f\xc3\xa9\\n\"\n}";
	CLEANUP(buffer_clear) struct buffer out;

	buffer_init(&out, 0);
	json_escape_controls(document, sizeof(document) - 1, &out);
	assert_string_equal(out.data, "{\n  \"a\\u009b\": \"\\u202e\\u007f\xc3\xa9\\n\"\n}");
}

static void keys_are_escaped_too(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;
	struct json json;

	buffer_init(&out, 0);
	json_init(&json, &out, false);
	json_object_begin(&json);
	json_key(&json, "a\"\n");
	json_bool(&json, false);
	json_object_end(&json);
	assert_string_equal(out.data, "{\"a\\\"\\n\":false}");
}

static void doubles_have_the_shortest_digits_that_read_back(void **state)
{
	static const struct {
		double number;
		const char *json;
	} rows[] = {
		{ 0, "0" },
		{ 0.1, "0.1" },
		{ -2.5, "-2.5" },
		{ 1e21, "1e+21" },
		{ 100, "100" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ NAN, "null" },
		{ INFINITY, "null" },
		{ -INFINITY, "null" },
		{ 5e-324, "4.94065645841247e-324" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CLEANUP(buffer_clear) struct buffer out;
		struct json json;

		buffer_init(&out, 0);
		json_init(&json, &out, false);
		json_double(&json, rows[i].number);
		assert_string_equal(out.data, rows[i].json);
		if (isfinite(rows[i].number))
			assert_true(strtod(out.data, NULL) == rows[i].number);
	}
}

static void another_reader_understands_it_whatever_the_bytes(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;
	json_auto_t *read = NULL;
	struct json json;
	char bytes[256];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)i;
	buffer_init(&out, 0);
	json_init(&json, &out, true);
	json_array_begin(&json);
	json_text_len(&json, bytes, sizeof(bytes));
	json_array_end(&json);
	read = json_loadb(out.data, out.len, JSON_ALLOW_NUL, NULL);
	assert_non_null(read);
	assert_int_equal(json_string_length(json_array_get(read, 0)), 128 + 128 * 3);
}

static void depth_up_to_31_is_written_and_more_fails_the_buffer(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;
	struct json json;

	buffer_init(&out, 0);
	json_init(&json, &out, false);
	for (int i = 0; i < 31; i++)
		json_array_begin(&json);
	for (int i = 0; i < 31; i++)
		json_array_end(&json);
	assert_false(out.failed);
	assert_int_equal(out.len, 62);
	for (int i = 0; i < 40; i++)
		json_array_begin(&json);
	assert_true(out.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_and_colons_stand_where_they_belong),
		cmocka_unit_test(pretty_is_two_spaces_a_level),
		cmocka_unit_test(texts_are_escaped_and_repaired),
		cmocka_unit_test(a_byte_is_escaped_wherever_it_stands),
		cmocka_unit_test(a_document_of_another_writer_commands_no_terminal),
		cmocka_unit_test(keys_are_escaped_too),
		cmocka_unit_test(doubles_have_the_shortest_digits_that_read_back),
		cmocka_unit_test(another_reader_understands_it_whatever_the_bytes),
		cmocka_unit_test(depth_up_to_31_is_written_and_more_fails_the_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
