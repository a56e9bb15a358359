/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture_sheet.h"

/* What no agent should have sent, and the largest of everything. */
#define HOST "host a 4 8; price a 0 1; up a 0 1; run x P ann {};"

/* All that x holds of a, for an hour, with these tools. */
static void add_tools(struct sheet *sheet, const char *task, const char *tools)
{
	const struct sheet_hold_facts facts = { .task = task,
						.tools = tools,
						.until_at = SHEET_NS_HOUR,
						.cpus_requested = 4,
						.memory_requested_bytes = UINT64_C(8) << 30,
						.input_bytes = -1 };

	assert_int_equal(sheet_add_hold(sheet, &facts), 0);
}

static void assert_tools(const char *tools, const char *wanted)
{
	struct sheet *sheet = sheet_of(0, 1, SHEET_WINDOW, HOST);

	add_tools(sheet, "t", tools);
	assert_int_equal(sheet_split(sheet, COST_RULE_HELD), 0);
	assert_string_equal(sheet_print_by(sheet, "tool"), wanted);
	sheet_free(sheet);
}

static void lines_that_name_no_tool_are_left_out(void **state)
{
	static const char *const lines[] = { NULL,    "",      "abc",   "\n",  "\t\n",   "\t\n\n",
					     "abc\t", "-5\tx", " 5\tx", "5 x", "0x5\tx", "5" };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_tools(lines[i], "? 0 1 0 1/1/0 0\n");
	assert_tools("\t\n3600000000000\tx", "x 0 1 0 1/1/0 1\n");
	assert_tools("abc\n7200000000000\tx\n\n1800000000000\ty\n", "x 0 0.8 0 1/1/0 2\n"
								    "y 0 0.2 0 1/1/0 0.5\n");
}

static void tool_without_a_name_is_not_known(void **state)
{
	(void)state;
	assert_tools("3600000000000\t", "? 0 1 0 1/1/0 1\n");
	assert_tools("3600000000000\t\n3600000000000\tx", "? 0 0.5 0 1/1/0 1\n"
							  "x 0 0.5 0 1/1/0 1\n");
	assert_tools("3600000000000\ta\tb", "a\tb 0 1 0 1/1/0 1\n");
}

static void tools_without_cpu_time_pay_the_same(void **state)
{
	(void)state;
	assert_tools("0\tx\n0\ty", "x 0 0.5 0 1/1/0 0\n"
				   "y 0 0.5 0 1/1/0 0\n");
}

static void cpu_time_of_a_tool_stays_at_the_largest_number(void **state)
{
	(void)state;
	assert_tools("99999999999999999999\tx\n18446744073709551615\tx\n9223372036854775807\ty",
		     "x 0 0.5 0 1/1/0 2.56205e+06\n"
		     "y 0 0.5 0 1/1/0 2.56205e+06\n");
}

/* More than are looked for one by one, again and again. */
static void a_task_has_any_number_of_tools(void **state)
{
	struct sheet *sheet = sheet_of(0, 1, SHEET_WINDOW, HOST);
	struct sheet_rows rows;
	char line[64];

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		snprintf(line, sizeof(line), "1\ttool%u\n1\tt\n", i % 1000);
		add_tools(sheet, "", line);
	}
	assert_int_equal(sheet->tool_count, 1001);
	assert_int_equal(sheet_split(sheet, COST_RULE_HELD), 0);
	assert_int_equal(sheet_rows_make(sheet,
					 &(struct sheet_choice){ .by = "tool", .points = true },
					 &rows),
			 0);
	sheet_check(sheet, &(struct sheet_choice){ .by = "tool", .points = true }, &rows);
	assert_int_equal(rows.count, 1001);
	assert_int_equal(sheet_rows_sort(&rows, "tool"), 0);
	assert_string_equal(rows.items[0].key, "t");
	assert_int_equal(rows.items[0].cpu_ns, 3000);
	assert_int_equal(rows.items[1].cpu_ns, 3);
	sheet_rows_clear(&rows);
	sheet_free(sheet);
}

static void names_may_be_empty_or_anything(void **state)
{
	static const char hostile[] = "\"a'b\\c,\n\x01\xff%s%n;<script>";
	static const char *const names[] = { "", hostile, NULL };
	static const char *const keys[] = { "pipeline", "run",  "step",  "task",       "tool",
					    "sample",   "user", "host",  "instance",   "container",
					    "pod",      "day",  "label", "cost_centre" };
	static const uint32_t weights[COST_KINDS] = { 500000, 500000, 0 };
	struct sheet *sheet = sheet_of(0, 1, SHEET_HOUR, "");

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *name = names[i];
		const struct sheet_host_facts host = { name, name, name, name, name, name,   name,
						       name, name, 4,    8192, 0,    weights };
		const struct sheet_run_facts run = { name, name, name, name, name, name, name };
		const struct sheet_hold_facts hold = { .host = i,
						       .run = i,
						       .task = name ? name : "",
						       .step = name,
						       .name = name,
						       .sample = name,
						       .container = name,
						       .pod = name,
						       .tools = name,
						       .until_at = SHEET_NS_HOUR,
						       .cpus_requested = 1 };

		assert_int_equal(sheet_add_host(sheet, &host), 0);
		assert_int_equal(sheet_add_price(sheet, i, INT64_MIN, 1, name), 0);
		assert_int_equal(sheet_add_run(sheet, &run), 0);
		assert_int_equal(sheet_add_hold(sheet, &hold), 0);
	}
	assert_int_equal(sheet_split(sheet, COST_RULE_HELD), 0);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct sheet_choice choice = { .by = keys[i], .label = hostile, .points = true };

		assert_true(strlen(sheet_print(sheet, &choice)) > 0);
		choice.pipeline = hostile;
		assert_non_null(strstr(sheet_print(sheet, &choice), "1/1/"));
	}
	sheet_free(sheet);
}

/* Labels that are no object of texts are none. */
static void labels_that_cannot_be_read_are_none(void **state)
{
	static const char *const labels[] = { "{",          "[]", "\"k\"",       "{\"k\":1}",
					      "{\"k\":{}}", "{}", "{\"k\":null}" };

	(void)state;
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct sheet *sheet = sheet_of(0, 1, SHEET_WINDOW, HOST);
		const struct sheet_run_facts run = { .id = "y", .labels = labels[i] };

		assert_int_equal(sheet_add_run(sheet, &run), 0);
		sheet_say(sheet, "hold a y t 0 1 4 8 / 4 8 -");
		assert_int_equal(sheet_split(sheet, COST_RULE_HELD), 0);
		assert_string_equal(
			sheet_print(sheet, &(struct sheet_choice){ .by = "label", .label = "k" }),
			"- 1 0 0 1/1/0 4\n");
		assert_string_equal(
			sheet_print(sheet, &(struct sheet_choice){ .by = "run", .label_key = "k" }),
			"");
		sheet_free(sheet);
	}
}

/* The earliest and latest instants, and the largest amounts, of a sheet as long as one may be. */
static void largest_numbers_add_up(void **state)
{
	static const int64_t times[] = { INT64_MIN, -1, 0, 1, INT64_MAX };

	(void)state;
	for (size_t i = 0; i < 25; i++) {
		struct sheet *sheet = sheet_of(0, 24 * 3651, SHEET_DAY, HOST);
		const struct sheet_hold_facts hold = { .task = "t",
						       .since_at = times[i / 5],
						       .until_at = times[i % 5],
						       .cpu_ns = UINT64_MAX,
						       .gpu_busy_ns = UINT64_MAX,
						       .cpus_requested = 1e300,
						       .memory_bytes = UINT64_MAX,
						       .memory_requested_bytes = UINT64_MAX,
						       .gpus = UINT64_MAX,
						       .input_bytes = INT64_MAX };

		assert_int_equal(sheet->until_at - sheet->since_at, SHEET_MAX_NS);
		assert_int_equal(sheet_add_hold(sheet, &hold), 0);
		assert_int_equal(sheet_add_hold(sheet, &hold), 0);
		assert_int_equal(sheet_add_up(sheet, 0, times[i / 5], times[i % 5]), 0);
		assert_int_equal(sheet_add_price(sheet, 0, INT64_MAX, 10000, "list"), 0);
		assert_int_equal(sheet_add_billed(sheet, 0, INT64_MIN, INT64_MAX,
						  COST_NUSD_HOUR_LIMIT, "bill"),
				 0);
		assert_int_equal(sheet_split(sheet, COST_RULE_HELD), 0);
		sheet_print(sheet, &(struct sheet_choice){ .by = "day", .points = true });
		sheet_print(sheet, &(struct sheet_choice){ .by = "tool" });
		sheet_free(sheet);
	}
}

static void impossible_prices_are_not_known(void **state)
{
	static const double prices[] = { 0, -1, 10000.1, 1e300, -1e300 };

	(void)state;
	for (size_t i = 0; i < sizeof(prices) / sizeof(prices[0]); i++) {
		struct sheet *sheet = sheet_of(0, 1, SHEET_WINDOW, HOST);

		assert_int_equal(sheet_add_price(sheet, 0, 0, prices[i], NULL), 0);
		assert_int_equal(sheet_add_billed(sheet, 0, 0, SHEET_NS_HOUR, -1, NULL), 0);
		assert_int_equal(sheet_add_billed(sheet, 0, 0, SHEET_NS_HOUR,
						  COST_NUSD_HOUR_LIMIT + 1, NULL),
				 0);
		assert_int_equal(sheet_split(sheet, COST_RULE_HELD), 0);
		assert_string_equal(sheet_print_by(sheet, "host"), "a 0 0 0 0/0/0 0 unpriced\n");
		sheet_free(sheet);
	}
}

static void bills_that_overlap_count_once(void **state)
{
	struct sheet *sheet = sheet_split_of(0, 3, SHEET_WINDOW,
					     HOST "up a 1 3; billed a 0 2 0.5; billed a 1 3 4;"
						  "billed a 2 1 7");

	(void)state;
	assert_string_equal(sheet_print_by(sheet, "host"), "a 0 0 0 unallocated 2 0/0/0 0\n");
	sheet_free(sheet);
}

static void a_sheet_without_time_has_no_rows(void **state)
{
	struct sheet *sheet = sheet_split_of(5, 2, SHEET_HOUR, HOST "hold a x t 0 9 4 8 / 4 8 s");

	(void)state;
	assert_string_equal(sheet_print_by(sheet, "run"), "");
	assert_string_equal(sheet_print_by(sheet, "host"), "");
	sheet_free(sheet);
	sheet = sheet_split_of(0, 1, SHEET_HOUR, "");
	assert_string_equal(sheet_print_by(sheet, "day"), "");
	sheet_free(sheet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_that_name_no_tool_are_left_out),
		cmocka_unit_test(tool_without_a_name_is_not_known),
		cmocka_unit_test(tools_without_cpu_time_pay_the_same),
		cmocka_unit_test(cpu_time_of_a_tool_stays_at_the_largest_number),
		cmocka_unit_test(a_task_has_any_number_of_tools),
		cmocka_unit_test(names_may_be_empty_or_anything),
		cmocka_unit_test(labels_that_cannot_be_read_are_none),
		cmocka_unit_test(largest_numbers_add_up),
		cmocka_unit_test(impossible_prices_are_not_known),
		cmocka_unit_test(bills_that_overlap_count_once),
		cmocka_unit_test(a_sheet_without_time_has_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
