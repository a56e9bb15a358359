/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/invoice/reconcile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"

#define HOUR (3600 * (int64_t)NS_PER_S)
#define USD  INT64_C(1000000000)

static struct invoice invoices[2];

static void run(int64_t billed, struct billed_hour *hours, size_t hour_count,
		const struct billed_kind *kinds, size_t kind_count, const struct seen_hour *seen,
		size_t seen_count)
{
	const struct reconcile all = { .invoices = invoices,
				       .invoice_count = 2,
				       .hours = hours,
				       .hour_count = hour_count,
				       .kinds = kinds,
				       .kind_count = kind_count,
				       .seen = seen,
				       .seen_count = seen_count };

	invoices[0].billed_nusd = billed;
	reconcile(&all);
	for (size_t i = 0; i < 2; i++)
		assert_true(invoice_sum(&invoices[i]) == invoices[i].billed_nusd);
}

/* The invoice's parts that are not 0, as text. */
static const char *parts(const struct invoice *invoice)
{
	static char text[512];
	size_t len = (size_t)snprintf(
		text, sizeof(text), "%lld %lld %lld", (long long)invoice->tasks_nusd,
		(long long)invoice->engines_nusd, (long long)invoice->unallocated_nusd);

	for (size_t i = 0; i < REMAINDERS_COUNT; i++)
		if (invoice->remainder[i])
			len += (size_t)snprintf(text + len, sizeof(text) - len, " %s=%lld",
						REMAINDER_NAMES[i].key,
						(long long)invoice->remainder[i]);
	return text;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define RUN(billed, hours, kinds, seen) \
	run(billed, hours, COUNT(hours), kinds, COUNT(kinds), seen, COUNT(seen))

static void an_hour_that_agents_saw_whole_is_of_tasks_engines_and_no_hold(void **state)
{
	struct billed_hour hours[] = { { 0, "i-1", HOUR, 100, 100, HOUR, 0, 0, 0, false, false } };
	const struct billed_kind kinds[] = { { 0, "compute", false, true, 100, 100 } };
	const struct seen_hour seen[] = { { "i-1", HOUR, HOUR, 60, 10, 30, true, 120 } };

	RUN(100, hours, kinds, seen);
	assert_string_equal(parts(&invoices[0]), "60 10 30");
	assert_true(hours[0].seen && hours[0].seen_nusd == 100 && hours[0].up_ns == HOUR);
	assert_true(hours[0].listed && hours[0].listed_nusd == 120);
}

static void what_was_up_a_part_of_the_billed_hour_leaves_the_rest_without_an_agent(void **state)
{
	struct billed_hour hours[] = { { 0, "i-1", 0, USD, USD, HOUR, 0, 0, 0, false, false },
				       { 0, "i-2", 0, USD, USD, HOUR, 0, 0, 0, false, false } };
	const struct billed_kind kinds[] = { { 0, "compute", false, true, 2 * USD, 2 * USD } };
	const struct seen_hour seen[] = { { "i-1", 0, HOUR / 4, USD / 4, 0, 0, false, 0 } };

	RUN(2 * USD, hours, kinds, seen);
	assert_string_equal(parts(&invoices[0]), "250000000 0 0 no_agent=1750000000");
	assert_false(hours[1].seen);
}

static void an_agent_that_was_up_longer_than_billed_is_named(void **state)
{
	struct billed_hour hours[] = { { 0, "i-1", 0, USD, USD, HOUR / 2, 0, 0, 0, false, false } };
	const struct billed_kind kinds[] = { { 0, "compute", false, true, USD, USD } };
	const struct seen_hour seen[] = { { "i-1", 0, HOUR, USD, 0, USD, false, 0 } };

	RUN(USD, hours, kinds, seen);
	assert_string_equal(parts(&invoices[0]), "1000000000 0 1000000000 beyond_bill=-1000000000");
}

static void a_sheet_at_another_price_is_named_and_a_rounding_is_one(void **state)
{
	struct billed_hour hours[] = { { 0, "i-1", 0, USD, USD, HOUR, 0, 0, 0, false, false },
				       { 0, "i-2", 0, 10, 10, HOUR, 0, 0, 0, false, false } };
	const struct billed_kind kinds[] = { { 0, "compute", false, true, USD + 10, USD + 10 } };
	const struct seen_hour seen[] = { { "i-1", 0, HOUR, 3 * USD, 0, 0, false, 0 },
					  { "i-2", 0, HOUR, 9, 0, 0, false, 0 } };

	RUN(USD + 10, hours, kinds, seen);
	assert_string_equal(parts(&invoices[0]), "3000000009 0 0 rounding=1 price=-2000000000");
}

static void a_commitment_is_bought_used_and_left_unused(void **state)
{
	struct billed_hour hours[] = { { 0, "i-1", 0, 0, 70, HOUR, 0, 0, 0, false, false } };
	const struct billed_kind kinds[] = {
		{ 0, "commitment_purchase", true, false, 500, 0 },
		{ 0, "commitment_unused", true, false, 0, 30 },
		{ 0, "compute", true, true, 0, 70 },
	};
	const struct seen_hour seen[] = { { "i-1", 0, HOUR, 70, 0, 0, false, 0 } };

	RUN(500, hours, kinds, seen);
	assert_string_equal(parts(&invoices[0]),
			    "70 0 0 commitment_unused=30 commitment_balance=400");
}

static void each_kind_has_its_name_and_the_unknown_is_unexplained(void **state)
{
	struct billed_hour hours[] = { { 0, "i-1", 0, 0, 0, HOUR, 0, 0, 0, false, false } };
	const struct billed_kind kinds[] = {
		{ 0, "disk", false, false, 1, 1 },          { 0, "network", false, false, 2, 2 },
		{ 0, "control_plane", false, false, 4, 4 }, { 0, "support", false, false, 8, 8 },
		{ 0, "tax", false, false, 16, 16 },         { 0, "credit", false, false, -32, -32 },
		{ 0, "discount", false, false, -64, -64 },  { 0, "other", true, false, 100, 128 },
		{ 0, "compute", false, false, 256, 256 },   { 0, "tax", false, false, 600, 512 },
	};
	const struct seen_hour seen[] = { { "i-0", 0, HOUR, 5, 0, 0, false, 0 } };

	RUN(891, hours, kinds, seen);
	assert_string_equal(
		parts(&invoices[0]),
		"0 0 0 commitment_balance=-28 disk=1 network=2 control_plane=4 support=8 "
		"tax=528 credit=-32 discount=-64 other=128 unexplained=344");
}

static void lines_that_the_sum_has_and_no_kind_are_unexplained(void **state)
{
	struct billed_hour hours[] = { { 0, "i-1", 0, 0, 0, HOUR, 0, 0, 0, false, false } };
	const struct billed_kind kinds[] = { { 0, "disk", false, false, 1, 1 } };
	const struct seen_hour seen[] = { { "i-0", 0, HOUR, 5, 0, 0, false, 0 } };

	RUN(3, hours, kinds, seen);
	assert_string_equal(parts(&invoices[0]), "0 0 0 disk=1 rounding=2");
	RUN(1000, hours, kinds, seen);
	assert_string_equal(parts(&invoices[0]), "0 0 0 disk=1 unexplained=999");
}

/* The hour costs 100 after the correction: tasks pay 100, of which the later invoice has -92. */
static void an_hour_that_a_later_invoice_corrects_is_split_between_both(void **state)
{
	struct billed_hour hours[] = { { 0, "i-1", 0, 192, 192, HOUR, 0, 0, 0, false, false },
				       { 1, "i-1", 0, -92, -92, 0, 0, 0, 0, false, false } };
	const struct billed_kind kinds[] = { { 0, "compute", false, true, 192, 192 },
					     { 1, "compute", false, true, -92, -92 } };
	const struct seen_hour seen[] = { { "i-1", 0, HOUR / 2, 30, 0, 20, false, 0 } };

	invoices[1].billed_nusd = -92;
	RUN(192, hours, kinds, seen);
	assert_string_equal(parts(&invoices[0]), "57 0 38 no_agent=96 rounding=1");
	assert_string_equal(parts(&invoices[1]), "-27 0 -18 no_agent=-46 rounding=-1");
	invoices[1].billed_nusd = 0;
}

static uint64_t seed = 1;

static int64_t any(int64_t most)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (int64_t)((seed >> 33) % (uint64_t)most);
}

/* run() asserts the sum of each. */
static void parts_add_up_whatever_they_are(void **state)
{
	static const char *const KINDS[] = {
		"compute",           "disk",  "tax", "commitment_purchase",
		"commitment_unused", "other", "none"
	};

	for (size_t round = 0; round < 2000; round++) {
		struct billed_hour hours[6];
		struct billed_kind kinds[8];
		struct seen_hour seen[3];

		for (size_t i = 0; i < 6; i++)
			hours[i] = (struct billed_hour){ .invoice = i % 2,
							 .instance_id = "i-1",
							 .hour_at = (int64_t)(i / 2) * HOUR,
							 .effective_nusd = any(2 * USD) - USD,
							 .used_ns = any(2 * HOUR) - HOUR / 2 };
		for (size_t i = 0; i < 8; i++)
			kinds[i] = (struct billed_kind){
				i % 2,       KINDS[any(7)],      any(2) == 0,
				any(2) == 0, any(USD) - USD / 2, any(USD) - USD / 2
			};
		for (size_t i = 0; i < 3; i++)
			seen[i] = (struct seen_hour){ .instance_id = "i-1",
						      .hour_at = any(4) * HOUR,
						      .up_ns = any(HOUR + 1),
						      .tasks_nusd = any(USD),
						      .engines_nusd = any(USD),
						      .unallocated_nusd = any(USD) };
		invoices[1].billed_nusd = any(USD);
		RUN(any(USD), hours, kinds, seen);
	}
	invoices[1].billed_nusd = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_hour_that_agents_saw_whole_is_of_tasks_engines_and_no_hold),
		cmocka_unit_test(
			what_was_up_a_part_of_the_billed_hour_leaves_the_rest_without_an_agent),
		cmocka_unit_test(an_agent_that_was_up_longer_than_billed_is_named),
		cmocka_unit_test(a_sheet_at_another_price_is_named_and_a_rounding_is_one),
		cmocka_unit_test(a_commitment_is_bought_used_and_left_unused),
		cmocka_unit_test(each_kind_has_its_name_and_the_unknown_is_unexplained),
		cmocka_unit_test(lines_that_the_sum_has_and_no_kind_are_unexplained),
		cmocka_unit_test(an_hour_that_a_later_invoice_corrects_is_split_between_both),
		cmocka_unit_test(parts_add_up_whatever_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
