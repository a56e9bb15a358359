/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_values.h"

#include "fixture_sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* The statement with values in it, or "prepare". Valid until the next call. */
static const char *put(const char *sql, const struct store_param *params, size_t count)
{
	static char text[1024];
	struct buffer buffer = { 0 };
	bool all = duckdb_put_values(&buffer, sql, params, count);

	snprintf(text, sizeof(text), "%s", all ? buffer.data : "prepare");
	buffer_clear(&buffer);
	return text;
}

static void a_value_keeps_its_type(void **state)
{
	static const struct {
		struct store_param param;
		const char *expected;
	} cases[] = {
		{ { "v", STORE_TEXT, .text = "run-1_a.b:c/d e" }, "VARCHAR run-1_a.b:c/d e" },
		{ { "v", STORE_TEXT, .text = "" }, "VARCHAR " },
		{ { "v", STORE_TEXT, .text = "--" }, "VARCHAR --" },
		{ { "v", STORE_TEXT, .text = NULL }, "VARCHAR none" },
		{ { "v", STORE_I64, .i64 = INT64_MIN }, "BIGINT -9223372036854775808" },
		{ { "v", STORE_I64, .i64 = INT64_MAX }, "BIGINT 9223372036854775807" },
		{ { "v", STORE_DOUBLE, .number = 0.1 }, "DOUBLE 0.1" },
		{ { "v", STORE_DOUBLE, .number = -1e300 }, "DOUBLE -1e+300" },
		{ { "v", STORE_BOOL, .flag = true }, "BOOLEAN true" },
		{ { "v", STORE_TIME, .i64 = INT64_C(1790000000123456789) },
		  "TIMESTAMP 2026-09-21 14:13:20.123456" },
		{ { "v", STORE_TIME, .i64 = -1000 }, "TIMESTAMP 1969-12-31 23:59:59.999999" },
	};

	(void)state;
	sql_open(NULL);
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_sql(cases[i].expected,
			   put("SELECT typeof($v) || ' ' || coalesce($v::VARCHAR, 'none')",
			       &cases[i].param, 1),
			   cases[i].expected);
	assert_sql("a limit",
		   put("SELECT count(*) FROM (SELECT unnest([1, 2, 3]) LIMIT $n)",
		       &(struct store_param){ "n", STORE_I64, .i64 = 2 }, 1),
		   "2");
	sql_close();
}

/* What could end the quotes, or is not of the program's own ids and words. */
static void other_texts_are_not_written(void **state)
{
	static const char *const texts[] = { "'",    "a'b", "a\\",   "a;b",         "a\nb", "\x01",
					     "$run", "(",   "\"a\"", "caf\xc3\xa9", "\xff", "a%s" };
	char longest[130];

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_string_equal(put("SELECT $v",
					&(struct store_param){ "v", STORE_TEXT, .text = texts[i] },
					1),
				    "prepare");
	memset(longest, 'a', sizeof(longest));
	longest[129] = '\0';
	assert_string_equal(
		put("SELECT $v", &(struct store_param){ "v", STORE_TEXT, .text = longest }, 1),
		"prepare");
	longest[128] = '\0';
	assert_string_not_equal(
		put("SELECT $v", &(struct store_param){ "v", STORE_TEXT, .text = longest }, 1),
		"prepare");
	assert_string_equal(
		put("SELECT $v",
		    &(struct store_param){ "v", STORE_DOUBLE, .number = __builtin_inf() }, 1),
		"prepare");
}

/* DuckDB then says which one is wrong. */
static void each_parameter_has_one_value(void **state)
{
	static const struct store_param two[] = { { "run", STORE_TEXT, .text = "a" },
						  { "run_ids", STORE_I64, .i64 = 1 } };

	(void)state;
	assert_string_equal(put("$run $run_ids $run", two, 2),
			    "'a'::VARCHAR '1'::BIGINT 'a'::VARCHAR");
	assert_string_equal(put("$run", two, 2), "prepare");
	assert_string_equal(put("$run $run_ids $limit", two, 2), "prepare");
	assert_string_equal(put("$ru $run_ids $run", two, 2), "prepare");
	assert_string_equal(put("'[^/]+$' $run", two, 1), "prepare");
	assert_string_equal(put("SELECT 1", NULL, 0), "SELECT 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_keeps_its_type),
		cmocka_unit_test(other_texts_are_not_written),
		cmocka_unit_test(each_parameter_has_one_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
