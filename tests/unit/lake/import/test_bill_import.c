/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "fixture_bill.h"

#define EACH(test) cmocka_unit_test_setup_teardown(test, bill_setup, lake_teardown)

/* What of each format of bills becomes of its lines. */

static const char *kinds(struct lake *lake)
{
	char params[64];

	snprintf(params, sizeof(params), "bill=%s", bill_last(lake));
	return lake_query(
		lake, "bill_kinds", params,
		"invoice kind service committed of_instance lines billed_nusd effective_nusd");
}

static const char *sums(struct lake *lake)
{
	char params[64];

	snprintf(params, sizeof(params), "bill=%s", bill_last(lake));
	return lake_query(lake, "bill_sums", params, "invoice lines billed effective");
}

static const char *rates(struct lake *lake)
{
	return lake_query(lake, "billed_rates", "since_at= until_at=",
			  "instance_id hour_at effective_nusd_hour billed_nusd_hour hours");
}

/* The unit of tests is dollars, of answers nano-dollars. */
static void focus_has_a_kind_for_each_line(void **state)
{
	struct lake *lake = *state;

	bill_store(lake, "focus_1_2.csv", NULL);
	assert_string_equal(
		kinds(lake),
		"INV-2026-11 commitment_purchase  1 0 1 200000000 0\n"
		"INV-2026-11 commitment_unused  1 0 1 0 76543211\n"
		"INV-2026-11 compute  0 1 2 226500000 226500000\n"
		"INV-2026-11 compute  1 1 1 0 123456789\n"
		"INV-2026-11 control_plane  0 0 1 100000000 100000000\n"
		"INV-2026-11 credit  0 0 1 -10000000 -10000000\n"
		"INV-2026-11 discount  0 0 1 -30000000 -30000000\n"
		"INV-2026-11 disk  0 0 1 11111111 11111111\n"
		"INV-2026-11 network  0 0 1 90000000 90000000\n"
		"INV-2026-11 other Amazon Simple Storage Service 0 0 1 23000000 23000000\n"
		"INV-2026-11 support AWS Support (Developer) 0 0 1 29000000000 29000000000\n"
		"INV-2026-11 tax  0 0 1 2150000000 2150000000\n");
}

static void sums_keep_all_digits_and_rates_are_by_hour(void **state)
{
	struct lake *lake = *state;

	bill_store(lake, "focus_1_2.csv", NULL);
	assert_string_equal(sums(lake),
			    "INV-2026-11 13 31.760611111111100000 31.760611111111100000\n");
	assert_string_equal(rates(lake),
			    "i-0aaaaaaaaaaaaaaa1 @2.62656e+07 192000000 192000000 1\n"
			    "i-0aaaaaaaaaaaaaaa1 @2.62692e+07 123456789 0 1\n"
			    "i-0bbbbbbbbbbbbbbb2 @2.62656e+07 69000000 69000000 0.5\n");
	assert_string_equal(lake_query(lake, "billed_rates",
				       "since_at=@26272800 until_at=@26272860",
				       "instance_id hour_at"),
			    "");
	assert_string_equal(lake_query(lake, "billed_rates",
				       "since_at=@26269200 until_at=@26269260", "instance_id"),
			    "i-0aaaaaaaaaaaaaaa1\n");
}

static void parquet_with_floating_point_is_the_same_bill(void **state)
{
	struct lake *lake = *state;
	CLEANUP(freep) char *path = bill_as_parquet(lake, "focus_1_2.csv");

	bill_store(lake, path, NULL);
	assert_string_equal(sums(lake),
			    "INV-2026-11 13 31.760611111111100000 31.760611111111100000\n");
	assert_string_equal(
		lake_query(lake, "bills", "bill=",
			   "name format provider billing_account currency final corrects lines"),
		"it's a bill.csv FOCUS 1.2 aws 111122223333 USD 1 0 13\n");
}

static void other_versions_of_focus_are_known_by_their_columns(void **state)
{
	struct lake *lake = *state;

	bill_store(lake, "focus_1_3.csv", NULL);
	assert_string_equal(lake_query(lake, "bills", "bill=", "format provider final"),
			    "FOCUS 1.3 aws 1\n");
	assert_string_equal(sums(lake),
			    "INV-2026-11 3 0.226500000000000000 0.349956789012300000\n");
	bill_store(lake, "focus_1_0.csv", NULL);
	assert_string_equal(sums(lake), "provisional 111122223333 2026-11 3 0.226500000000000000 "
					"0.349956789012300000\n");
}

static void cur_is_billed_unblended_and_effective_amortised(void **state)
{
	struct lake *lake = *state;

	bill_store(lake, "cur_2_0.csv", NULL);
	assert_string_equal(kinds(lake),
			    "1234567890 commitment_purchase  1 0 1 500000000000 0\n"
			    "1234567890 commitment_unused  1 0 2 86600000000 86341000000\n"
			    "1234567890 compute  0 1 1 192000000 192000000\n"
			    "1234567890 compute  1 1 2 0 259000000\n"
			    "1234567890 credit  0 0 1 -1000000000 -1000000000\n"
			    "1234567890 discount  0 0 1 -19200000 -19200000\n"
			    "1234567890 disk  0 0 1 10000000 10000000\n"
			    "1234567890 network  0 0 1 90000000 90000000\n"
			    "1234567890 tax  0 0 1 3200000000 3200000000\n");
	assert_string_equal(rates(lake), "i-0aaaaaaaaaaaaaaa1 @2.62656e+07 192000000 192000000 1\n"
					 "i-0bbbbbbbbbbbbbbb2 @2.62656e+07 138000000 0 1\n"
					 "i-0ccccccccccccccc3 @2.62656e+07 121000000 0 1\n");
}

/* The sum is that of all unblended costs in the file, whatever the negation takes away. */
static void a_negation_that_does_not_fit_is_a_line_of_its_own(void **state)
{
	static const struct bill_change less = { "SavingsPlanNegation,,,,AmazonEC2,,,-0.192",
						 "SavingsPlanNegation,,,,AmazonEC2,,,-0.152", 0 };
	struct lake *lake = *state;

	bill_store(lake, "cur_2_0.csv", &less);
	assert_string_equal(sums(lake),
			    "1234567890 12 589.112800000000000000 89.112800000000000000\n");
	assert_non_null(strstr(kinds(lake), "rounding  0 0 1 40000000 40000000\n"));
}

static void gcp_has_cores_and_memory_of_one_instance_and_credits(void **state)
{
	static const char expected[] =
		"01ABCD-234567-89EF01 202611 compute  0 1 2 167776000 167776000\n"
		"01ABCD-234567-89EF01 202611 control_plane  0 0 1 100000000 100000000\n"
		"01ABCD-234567-89EF01 202611 credit  0 0 1 -7776000 -7776000\n"
		"01ABCD-234567-89EF01 202611 disk  0 0 1 13700000 13700000\n"
		"01ABCD-234567-89EF01 202611 network  0 0 1 120000000 120000000\n"
		"01ABCD-234567-89EF01 202611 rounding  0 0 1 -1000 -1000\n"
		"01ABCD-234567-89EF01 202611 tax  0 0 1 30000000 30000000\n";
	struct lake *lake = *state;

	bill_store(lake, "gcp.jsonl", NULL);
	assert_string_equal(kinds(lake), expected);
	assert_string_equal(rates(lake),
			    "1234567890123456789 @2.62656e+07 167776000 167776000 1\n");
	bill_store(lake, "gcp.csv", NULL);
	assert_string_equal(kinds(lake), expected);
	assert_string_equal(rates(lake),
			    "1234567890123456789 @2.62656e+07 167776000 167776000 1\n");
}

/* Hours that begin between two hours of UTC, and a day in one line. */
static void a_line_over_several_hours_is_spread(void **state)
{
	static const struct bill_change day = { "2026-11-01T01:00:00Z,2026-11-01T00:00:00Z",
						"2026-11-02T00:30:00Z,2026-11-01T00:30:00Z", 0 };
	struct lake *lake = *state;

	bill_store(lake, "focus_1_0.csv", &day);
	assert_string_equal(lake_query(lake, "bill_hours", "since_at= until_at=@26269200",
				       "instance_id hour_at effective_nusd used_ns"),
			    "i-0aaaaaaaaaaaaaaa1 @2.62656e+07 4000000 75000000000\n"
			    "i-0bbbbbbbbbbbbbbb2 @2.62656e+07 718750 37500000000\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(focus_has_a_kind_for_each_line),
		EACH(sums_keep_all_digits_and_rates_are_by_hour),
		EACH(parquet_with_floating_point_is_the_same_bill),
		EACH(other_versions_of_focus_are_known_by_their_columns),
		EACH(cur_is_billed_unblended_and_effective_amortised),
		EACH(a_negation_that_does_not_fit_is_a_line_of_its_own),
		EACH(gcp_has_cores_and_memory_of_one_instance_and_credits),
		EACH(a_line_over_several_hours_is_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
