/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "server/inventory/inventory_rows.h"

/* What the process that lists accounts writes is checked as what comes from outside. */

#define VOLUME                                                                               \
	"{\"kind\":\"volume\",\"account\":\"a\",\"account_id\":\"1\",\"region\":\"r\","      \
	"\"zone\":\"\",\"id\":\"v\",\"name\":\"\",\"type\":\"gp3\",\"owner\":\"\",\"tags\":" \
	"%s,\"created_at\":\"\",\"detached_at\":\"\",\"bytes\":%s,\"attached_to\":\"\"%s}"

static struct inventory_row row;

static int take(const char *line, struct buffer *out)
{
	struct error err = { "" };

	return inventory_row_read(line, strlen(line), out, &row, &err);
}

static int take_volume(const char *tags, const char *bytes, const char *more, struct buffer *out)
{
	char line[65536];

	snprintf(line, sizeof(line), VOLUME, tags, bytes, more);
	return take(line, out);
}

static void a_line_has_the_fields_of_its_kind_alone(void **state)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	assert_int_equal(take("{\"kind\":\"region\",\"account\":\"a\",\"account_id\":\"1\","
			      "\"region\":\"r\",\"what\":\"volumes\",\"complete\":false,"
			      "\"error\":\"why\",\"count\":7,\"id\":\"x\",\"more\":[]}",
			      &out),
			 0);
	assert_string_equal(out.data,
			    "{\"kind\":\"region\",\"account_id\":\"1\",\"region\":\"r\",\"what\":"
			    "\"volumes\",\"complete\":false,\"error\":\"why\"}\n");
	assert_int_equal(row.kind, INVENTORY_REGION);
	assert_string_equal(row.account, "a");
	assert_string_equal(row.error, "why");
	assert_int_equal(take_volume("{\"k\":\"v\"}", "5", "", &out), 0);
	assert_int_equal(row.kind, INVENTORY_VOLUME);
}

static void what_is_no_line_is_refused(void **state)
{
	static const char *const LINES[] = { "",
					     "x",
					     "[]",
					     "{}",
					     "{\"kind\":\"other\"}",
					     "{\"kind\":\"machine\"}",
					     "{\"kind\":7}" };
	static const char *const TAGS[] = { "[]", "{\"a\":1}", "null", "\"\"", "{\"a\":{}}" };
	static const char *const BYTES[] = { "-1", "1.5", "\"1\"", "9223372036854775807" };
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	for (size_t i = 0; i < sizeof(LINES) / sizeof(LINES[0]); i++)
		assert_int_equal(take(LINES[i], &out), -EPROTO);
	for (size_t i = 0; i < sizeof(TAGS) / sizeof(TAGS[0]); i++)
		assert_int_equal(take_volume(TAGS[i], "1", "", &out), -EPROTO);
	for (size_t i = 0; i < sizeof(BYTES) / sizeof(BYTES[0]); i++)
		assert_int_equal(take_volume("{}", BYTES[i], "", &out), -EPROTO);
	assert_int_equal(take_volume("{}", "1", ",\"id\":\"twice\"", &out), -EPROTO);
	assert_int_equal(out.len, 0);
}

static void a_text_has_its_bound(void **state)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	char tags[1024], value[770];

	buffer_init(&out, 0);
	memset(value, 'x', sizeof(value) - 1);
	value[769] = '\0';
	snprintf(tags, sizeof(tags), "{\"a\":\"%.768s\"}", value);
	assert_int_equal(take_volume(tags, "1", "", &out), 0);
	snprintf(tags, sizeof(tags), "{\"a\":\"%.769s\"}", value);
	assert_int_equal(take_volume(tags, "1", "", &out), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_the_fields_of_its_kind_alone),
		cmocka_unit_test(what_is_no_line_is_refused),
		cmocka_unit_test(a_text_has_its_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
