/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixture_sheet.h"

/* Examples by hand: what tasks pay of their hosts. */

/* Half of a dollar is of 4 CPUs, half of 8 GiB. */
#define HOST "host a 4 8; price a 0 1;"

static void assert_rows(const char *statements, double since, double until, const char *by,
			const char *wanted)
{
	struct sheet *sheet = sheet_split_of(since, until, SHEET_WINDOW, statements);

	assert_string_equal(sheet_print_by(sheet, by), wanted);
	sheet_free(sheet);
}

/* x holds 2 of 4 CPUs and 2 of 8 GiB: 0.25 + 0.125; it used half of both. y holds 1 and 2: 0.125 +
 * 0.125, all used. What is left, 0.375, goes 0.375 : 0.25. In the second hour no one is there. */
static void two_runs_share_an_hour_of_a_host(void **state)
{
	static const char *const TWO = HOST "up a 0 2; run x P1 ann {}; run y P2 bob {};"
					    "hold a x x1 0 1 2 2 / 1 1 s1;"
					    "hold a y y1 0 1 1 2 / 1 2 s2";
	(void)state;
	assert_rows(TWO, 0, 2, "pipeline",
		    "P1 0.1875 0.1875 0.225 1/1/1 1\n"
		    "P2 0.25 0 0.15 1/1/1 1\n");
	assert_rows(TWO, 0, 2, "host", "a 0.4375 0.1875 0.375 unallocated 1 2/2/2 2\n");
	assert_rows(TWO, 0, 2, "instance", "small 0.4375 0.1875 0.375 unallocated 1 2/2/2 2\n");
	assert_rows(TWO, 0, 2, "day", "1970-01-01 0.4375 0.1875 0.375 unallocated 1 2/2/2 2\n");
	assert_rows(TWO, 0, 2, "task",
		    "x1 0.1875 0.1875 0.225 1/1/1 1\n"
		    "y1 0.25 0 0.15 1/1/1 1\n");
	assert_rows(TWO, 0, 2, "pod",
		    "p-s1 0.1875 0.1875 0.225 1/1/1 1\n"
		    "p-s2 0.25 0 0.15 1/1/1 1\n");
}

static void engine_that_waits_costs_nothing_and_keeps_its_cpu_time(void **state)
{
	(void)state;
	assert_rows(HOST "up a 0 1; run x P ann {}; hold a x - 0 0 0 0 / 0.25 0 -;"
			 "hold a x x1 0 1 4 8 / 1 1 s",
		    0, 1, "task",
		    "x1 0.1875 0.8125 0 1/1/1 1\n"
		    "(make itself) 0 0 0 1/0/0 0.25\n");
	assert_rows(HOST "up a 0 1; run x P ann {}; hold a x - 0.5 0.5 0 0 / 0.25 0 -", 0, 1,
		    "host", "a 0 0 0 unallocated 1 1/0/0 0.25\n");
}

static void engine_that_worked_for_two_minutes_is_one_row(void **state)
{
	(void)state;
	assert_rows(HOST "up a 0 1; run x P ann {};"
			 "hold a x - 0 0.25 0 0 / 0.25 2 - 0.25:make;"
			 "hold a x - 0.5 0.75 0 0 / 0.5 4 - 0.25:sh,0.25:make;"
			 "hold a x - 0 0 0 0 / 0.125 0 - 0.125:sh",
		    0, 1, "task", "(make itself) 0.1875 0 0.3125 1/0/0 0.875\n");
}

/* The second half hour is at 3 dollars. */
static void price_that_changes_within_a_run_holds_from_then_on(void **state)
{
	static const char *const TEXT =
		HOST "price a 0.5 3; up a 0 1; run x P ann {}; hold a x x1 0 1 4 8 / 4 8 s";
	(void)state;
	assert_rows(TEXT, 0, 1, "run", "x 2 0 0 1/1/1 4\n");
}

/* Of a, the second hour has no price: z is in it alone, y in part. */
static void what_has_no_price_is_marked_and_nothing_else(void **state)
{
	static const char *const TEXT =
		HOST "price a 1 0; host b 4 8; price b 0 1; up a 0 2; up b 0 2;"
		     "run x P ann {}; run y Q ann {}; run z R ann {};"
		     "hold a x x1 0 1 1 2 / 1 2 s1; hold b x x2 0 2 4 8 / 8 8 s1;"
		     "hold a y y1 0 2 1 2 / 2 2 s2; hold a z z1 1 2 4 8 / 1 1 s3";
	(void)state;
	assert_rows(TEXT, 0, 2, "pipeline",
		    "P 2.25 0 0.25 1/2/1 9\n"
		    "Q 0.25 0 0.25 1/1/1 2 unpriced\n"
		    "R 0 0 0 1/1/1 1 unpriced\n");
	assert_rows(TEXT, 0, 2, "host",
		    "b 2 0 0 1/1/1 8\n"
		    "a 0.5 0 0.5 3/3/3 4 unpriced\n");
	assert_rows(TEXT, 0, 1, "pipeline",
		    "P 1.25 0 0.25 1/2/1 5\n"
		    "Q 0.25 0 0.25 1/1/1 1\n");
}

static void day_without_a_price_is_marked_and_no_other(void **state)
{
	struct sheet *sheet = sheet_split_of(0, 48, SHEET_DAY,
					     HOST "price a 24 0; up a 0 48; run x P ann {};"
						  "hold a x x1 0 48 4 8 / 192 8 s");
	(void)state;
	assert_string_equal(sheet_print_by(sheet, "day"), "1970-01-02 0 0 0 1/1/1 96 unpriced\n"
							  "1970-01-01 24 0 0 1/1/1 96\n");
	assert_string_equal(sheet_print_by(sheet, "task"), "x1 24 0 0 1/1/1 192 unpriced\n");
	sheet_free(sheet);
}

/* Hours 1 and 2 are billed at half a dollar, the others are a dollar. */
static void billed_hours_go_before_prices_and_no_other_hours_do(void **state)
{
	static const char *const TEXT =
		HOST "billed a 1 2 0.5; billed a 2 3 0.5; up a 0 4; run x P ann {};"
		     "hold a x x1 0 4 4 8 / 16 8 s";
	struct sheet *sheet = sheet_split_of(0, 4, SHEET_HOUR, TEXT);

	(void)state;
	assert_string_equal(
		sheet_print(sheet, &(struct sheet_choice){ .by = "run", .points = true }),
		"x 3 0 0 1/1/1 16\n"
		"at 0 x 1 0 0\nat 0 unallocated 0 0 0\nat 1 x 0.5 0 0\nat 1 unallocated 0 0 0\n"
		"at 2 x 0.5 0 0\nat 2 unallocated 0 0 0\nat 3 x 1 0 0\nat 3 unallocated 0 0 0\n");
	assert_true(sheet->hosts[0].billed && sheet->hosts[0].priced);
	sheet_free(sheet);
	sheet = sheet_split_of(3, 4, SHEET_HOUR, TEXT);
	assert_false(sheet->hosts[0].billed);
	sheet_free(sheet);
}

static void bill_makes_a_host_without_a_price_priced_for_its_hours(void **state)
{
	static const char *const TEXT = "host a 4 8; billed a 1 2 0.5; up a 0 2; run x P ann {};"
					"run y P ann {}; hold a x x1 0 1 4 8 / 4 8 s;"
					"hold a y y1 1 2 4 8 / 4 8 s";
	(void)state;
	assert_rows(TEXT, 0, 2, "run",
		    "y 0.5 0 0 1/1/1 4\n"
		    "x 0 0 0 1/1/1 4 unpriced\n");
}

/* A bill of nothing (a credit, say) is a price. */
static void hour_that_was_billed_with_nothing_is_free(void **state)
{
	(void)state;
	assert_rows(HOST "billed a 0 1 0; up a 0 1; run x P ann {}; hold a x x1 0 1 4 8 / 4 8 s", 0,
		    1, "run", "x 0 0 0 1/1/1 4\n");
}

static void times_that_overlap_are_paid_once(void **state)
{
	(void)state;
	assert_rows(HOST "up a 0 1; up a 0.25 1.5; up a 0.5 0.75; up a 1 0.5; up a 3 2;"
			 "run x P ann {}; hold a x x1 0 2 4 8 / 8 8 s",
		    0, 4, "host", "a 2 0 0 1/1/1 8\n");
}

/* Half a minute between samples is none, an hour is one. */
static void host_is_not_paid_while_it_was_off(void **state)
{
	(void)state;
	assert_rows(HOST "up a 0 1; up a 1.008 2; up a 3 4", 0, 5, "host",
		    "a 0 0 0 unallocated 3 0/0/0 0\n");
}

/* Each hour asked for alone is what it is in both. */
static void gap_at_the_end_of_the_time_is_none_either(void **state)
{
	static const char *const TEXT = HOST "up a 0 0.995; up a 1.005 2";
	(void)state;
	assert_rows(TEXT, 0, 2, "host", "a 0 0 0 unallocated 2 0/0/0 0\n");
	assert_rows(TEXT, 0, 1, "host", "a 0 0 0 unallocated 1 0/0/0 0\n");
	assert_rows(TEXT, 1, 2, "host", "a 0 0 0 unallocated 1 0/0/0 0\n");
	assert_rows(TEXT, 2, 3, "host", "");
}

static void host_was_up_while_something_was_held(void **state)
{
	(void)state;
	assert_rows(HOST "up a 0 1; run x P ann {}; hold a x x1 2 3 4 8 / 4 8 s", 0, 4, "host",
		    "a 1 0 0 unallocated 1 1/1/1 4\n");
}

static void clock_that_goes_backwards_costs_nothing_twice(void **state)
{
	(void)state;
	assert_rows(HOST "up a 2 1; run x P ann {}; hold a x x1 2 1 4 8 / 4 8 s;"
			 "hold a x x2 0 1 4 8 / 4 8 s",
		    0, 4, "run", "x 1 0 0 1/2/1 8\n");
}

static void task_on_two_hosts_is_one_task(void **state)
{
	static const char *const TEXT = HOST
		"host b 4 8; price b 0 1; up a 0 1; up b 0 1; run x P ann {};"
		"hold a x x1 0 1 4 8 / 4 8 s; hold b x x1 0 1 4 8 / 4 8 s; hold b x - 0 0 0 0 / 1 0 -";
	struct sheet *sheet = sheet_split_of(0, 1, SHEET_WINDOW, TEXT);
	struct sheet_rows rows;

	(void)state;
	assert_string_equal(sheet_print_by(sheet, "run"), "x 2 0 0 1/1/1 9\n");
	assert_string_equal(sheet_print_by(sheet, "task"), "x1 2 0 0 1/1/1 8\n"
							   "(make itself) 0 0 0 1/0/0 1\n");
	assert_string_equal(sheet_print_by(sheet, "host"), "b 1 0 0 1/1/1 5\n"
							   "a 1 0 0 1/1/1 4\n");
	assert_int_equal(sheet_rows_make(sheet, &(struct sheet_choice){ .by = "run" }, &rows), 0);
	assert_int_equal(rows.items[0].input_bytes, 1000);
	sheet_rows_clear(&rows);
	sheet_free(sheet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_runs_share_an_hour_of_a_host),
		cmocka_unit_test(engine_that_waits_costs_nothing_and_keeps_its_cpu_time),
		cmocka_unit_test(engine_that_worked_for_two_minutes_is_one_row),
		cmocka_unit_test(price_that_changes_within_a_run_holds_from_then_on),
		cmocka_unit_test(what_has_no_price_is_marked_and_nothing_else),
		cmocka_unit_test(day_without_a_price_is_marked_and_no_other),
		cmocka_unit_test(billed_hours_go_before_prices_and_no_other_hours_do),
		cmocka_unit_test(bill_makes_a_host_without_a_price_priced_for_its_hours),
		cmocka_unit_test(hour_that_was_billed_with_nothing_is_free),
		cmocka_unit_test(times_that_overlap_are_paid_once),
		cmocka_unit_test(host_is_not_paid_while_it_was_off),
		cmocka_unit_test(gap_at_the_end_of_the_time_is_none_either),
		cmocka_unit_test(host_was_up_while_something_was_held),
		cmocka_unit_test(clock_that_goes_backwards_costs_nothing_twice),
		cmocka_unit_test(task_on_two_hosts_is_one_task),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
