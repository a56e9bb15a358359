/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
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

/* Which of several files about the same month counts. */

static const char *rate(struct lake *lake)
{
	return lake_query(lake, "billed_rates", "since_at= until_at=@26269200",
			  "instance_id effective_nusd_hour billed_nusd_hour");
}

static void the_same_bytes_are_refused_as_a_duplicate(void **state)
{
	bill_store(*state, "focus_1_2.csv", NULL);
	bill_refuse(*state, "focus_1_2.csv", NULL, -EEXIST,
		    "it was imported already, as it's a bill");
	assert_string_equal(lake_query(*state, "bills", "bill=", "lines"), "13\n");
}

static void a_provisional_bill_is_replaced_by_the_final_one(void **state)
{
	static const struct bill_change provisional = { "INV-2026-11", "", 0 };
	struct lake *lake = *state;

	bill_store(lake, "focus_1_2.csv", &provisional);
	assert_string_equal(lake_query(lake, "bills", "bill=", "final superseded_by"), "0 -\n");
	bill_store(lake, "focus_1_2.csv", NULL);
	assert_string_equal(rate(lake), "i-0aaaaaaaaaaaaaaa1 192000000 192000000\n"
					"i-0bbbbbbbbbbbbbbb2 69000000 69000000\n");
	assert_string_equal(lake_query(lake, "bills", "bill=", "final lines billed"),
			    "1 13 31.760611111111100000\n0 13 31.760611111111100000\n");
	assert_string_not_equal(lake_query(lake, "bills", "bill=", "superseded_by"), "-\n-\n");
}

static void a_correction_of_a_later_month_adds_to_the_earlier_one(void **state)
{
	struct lake *lake = *state;

	bill_store(lake, "focus_1_2.csv", NULL);
	bill_store(lake, "focus_1_2_next.csv", NULL);
	assert_string_equal(rate(lake), "i-0aaaaaaaaaaaaaaa1 100000000 100000000\n"
					"i-0bbbbbbbbbbbbbbb2 69000000 69000000\n");
	assert_string_equal(
		lake_query(lake, "bills", "bill=", "final corrects lines superseded_by"),
		"1 0 2 -\n1 0 13 -\n");
	assert_string_equal(lake_query(lake, "bill_hours", "since_at= until_at=@26269200",
				       "invoice instance_id effective_nusd used_ns"),
			    "INV-2026-11 i-0aaaaaaaaaaaaaaa1 192000000 3600000000000\n"
			    "INV-2026-12 i-0aaaaaaaaaaaaaaa1 -92000000 0\n"
			    "INV-2026-11 i-0bbbbbbbbbbbbbbb2 34500000 1800000000000\n");
}

/* The lines of a file from line `first` on that are corrections, with its header. */
static void store_corrections(struct lake *lake, const char *amount)
{
	const struct bill_change change = { "-0.0920000000", amount, 0 };
	CLEANUP(freep) char *bytes = NULL;
	struct error err = { "" };
	const char *end;
	size_t len;

	bill_read("focus_1_2_next.csv", &change, &bytes, &len);
	end = strchr(strchr(bytes, '\n') + 1, '\n') + 1;
	if (bill_import_bytes(lake, bytes, (size_t)(end - bytes), NULL, 1, &err))
		fail_msg("%s", error_text(&err));
}

static void of_overlapping_corrections_the_last_one_counts(void **state)
{
	struct lake *lake = *state;

	bill_store(lake, "focus_1_2.csv", NULL);
	bill_store(lake, "focus_1_2_next.csv", NULL);
	store_corrections(lake, "-0.0500000000");
	store_corrections(lake, "-0.0100000000");
	assert_string_equal(lake_query(lake, "bills", "bill=", "corrects superseded_by"),
			    "1 -\n1 -\n0 -\n0 -\n");
	/* 0.192 - 0.092 of the month after, and the last of both files with corrections alone */
	assert_string_equal(rate(lake), "i-0aaaaaaaaaaaaaaa1 90000000 90000000\n"
					"i-0bbbbbbbbbbbbbbb2 69000000 69000000\n");
}

static void files_of_one_export_count_once_all_are_here(void **state)
{
	static const struct bill_change second = { "i-0", "i-1", 0 };
	struct lake *lake = *state;
	CLEANUP(freep) char *one = NULL, *two = NULL;
	size_t one_len, two_len;

	bill_read("focus_1_2.csv", NULL, &one, &one_len);
	bill_read("focus_1_2.csv", &second, &two, &two_len);
	bill_store(lake, "cur_2_0.csv", NULL);
	assert_int_equal(bill_import_bytes(lake, one, one_len, "export", 2, NULL), 0);
	assert_string_equal(lake_query(lake, "bills", "bill=", "complete superseded_by"),
			    "0 -\n1 -\n");
	assert_non_null(strstr(rate(lake), "i-0ccccccccccccccc3 121000000 0\n"));
	assert_int_equal(bill_import_bytes(lake, two, two_len, "export", 2, NULL), 0);
	assert_string_equal(rate(lake), "i-0aaaaaaaaaaaaaaa1 192000000 192000000\n"
					"i-0bbbbbbbbbbbbbbb2 69000000 69000000\n"
					"i-1aaaaaaaaaaaaaaa1 192000000 192000000\n"
					"i-1bbbbbbbbbbbbbbb2 69000000 69000000\n");
}

/* An export that failed half-way is imported again: its first file is stored already. */
static void an_export_that_was_not_complete_is_imported_again(void **state)
{
	struct lake *lake = *state;
	CLEANUP(freep) char *one = NULL;
	size_t one_len;

	bill_read("focus_1_2.csv", NULL, &one, &one_len);
	assert_int_equal(bill_import_bytes(lake, one, one_len, "first try", 2, NULL), 0);
	assert_int_equal(bill_import_bytes(lake, one, one_len, "first try", 2, NULL), -EEXIST);
	assert_int_equal(bill_import_bytes(lake, one, one_len, "second try", 2, NULL), 0);
	assert_string_equal(rate(lake), "");
	assert_int_equal(bill_import_bytes(lake, one, one_len, NULL, 1, NULL), 0);
	assert_string_equal(rate(lake), "i-0aaaaaaaaaaaaaaa1 192000000 192000000\n"
					"i-0bbbbbbbbbbbbbbb2 69000000 69000000\n");
}

static void another_currency_is_kept_apart(void **state)
{
	static const struct bill_change euro = { "USD", "EUR", 0 };
	struct lake *lake = *state;

	bill_store(lake, "focus_1_2.csv", &euro);
	assert_string_equal(lake_query(lake, "bills", "bill=", "currency billed"),
			    "EUR 31.760611111111100000\n");
	assert_string_equal(rate(lake), "");
}

static void bills_outlive_a_restart(void **state)
{
	struct lake *lake = *state;

	bill_store(lake, "focus_1_2.csv", NULL);
	lake_close(lake);
	lake_open(lake);
	assert_string_equal(rate(lake), "i-0aaaaaaaaaaaaaaa1 192000000 192000000\n"
					"i-0bbbbbbbbbbbbbbb2 69000000 69000000\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(the_same_bytes_are_refused_as_a_duplicate),
		EACH(a_provisional_bill_is_replaced_by_the_final_one),
		EACH(a_correction_of_a_later_month_adds_to_the_earlier_one),
		EACH(of_overlapping_corrections_the_last_one_counts),
		EACH(files_of_one_export_count_once_all_are_here),
		EACH(an_export_that_was_not_complete_is_imported_again),
		EACH(another_currency_is_kept_apart),
		EACH(bills_outlive_a_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
