/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture_split.h"

/* COST_RULE_AWS against the figures that AWS's user guide works out. */

static void read_all(struct split_case *input, const char *text)
{
	char copy[1024], *rest = NULL;
	*input = (struct split_case){ 0 };
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, ";", &rest); word; word = strtok_r(NULL, ";", &rest))
		assert_true(split_case_read(input, word));
}

static void near(double actual, double expected, double within)
{
	if (actual < expected - within || actual > expected + within)
		fail_msg("%.9f instead of %.9f", actual, expected);
}

static double split_usd(const struct cost_part *part)
{
	return (double)(part->used_nusd + part->unused_nusd) / SPLIT_USD;
}

static double cents(int64_t nusd)
{
	return (double)((nusd + 5000000) / 10000000) / 100;
}

/*
 * "Example of split cost allocation data",
 * https://docs.aws.amazon.com/cur/latest/userguide/example-split-cost-allocation-data.html: an
 * m5.xlarge (4 vCPU, 16 GB) for $1 in an hour, four pods in two namespaces, CPU oversubscribed:
 *
 *     pod  namespace  vCPU reserved used  GB reserved used  split-cost unused-cost total-split-cost
 *     1    1          1     0.1           4     3           $0.22      $0.01       $0.23
 *     2    2          1     1.9           4     6           $0.38      $0.02       $0.40
 *     3    1          1     0.5           2     2           $0.18      $0.01       $0.19
 *     4    2          1     0.5           2     2           $0.18      $0.01       $0.19
 *
 * Namespaces: $0.42 and $0.59 (AWS adds the rounded cents). The exact amounts beside
 * the cents follow from AWS's ratios: split usage 1 ÷ 4.9 and 4 ÷ 16, unit cost $1 ÷ 52.
 */
static void a_shared_instance_is_split_as_in_the_guide(void **state)
{
	static const struct {
		double split_cents, idle_cents, total_cents, vcpu, gb;
	} pods[] = {
		{ 0.22, 0.01, 0.23, 1, 4 },
		{ 0.38, 0.02, 0.40, 1.9, 6 },
		{ 0.18, 0.01, 0.19, 1, 2 },
		{ 0.18, 0.01, 0.19, 1, 2 },
	};
	static struct split_case input;
	static struct split_sums sums;
	double per_vcpu = 9.0 / 52, per_gb = 1.0 / 52;
	(void)state;
	read_all(&input, "host 4 16 0 0 0 0; up 0 1 1;"
			 "hold 0 1 1 4 0 / 0.1 3 0; hold 0 1 1 4 0 / 1.9 6 0;"
			 "hold 0 1 1 2 0 / 0.5 2 0; hold 0 1 1 2 0 / 0.5 2 0");
	split_case_run(&input, COST_RULE_AWS, &sums);
	for (size_t i = 0; i < 4; i++) {
		const struct cost_part *part = &sums.parts[i];
		double split = pods[i].vcpu / 4.9 * 4 * per_vcpu + pods[i].gb / 16 * 16 * per_gb;
		near(cents(part->used_nusd + part->unused_nusd), pods[i].split_cents, 1e-9);
		near(cents(part->idle_nusd), pods[i].idle_cents, 1e-9);
		near(cents(split_cost(part)), pods[i].total_cents, 1e-9);
		near(split_usd(part), split, 2e-9);
		near((double)part->idle_nusd / SPLIT_USD, pods[i].gb / 14 * 2 * per_gb, 2e-9);
	}
	near(cents(split_cost(&sums.parts[0])) + cents(split_cost(&sums.parts[2])), 0.42, 1e-9);
	near(cents(split_cost(&sums.parts[1])) + cents(split_cost(&sums.parts[3])), 0.59, 1e-9);
	assert_int_equal(sums.unallocated_nusd, 0);
	assert_int_equal(sums.whole_nusd, SPLIT_USD);
}

/*
 * "Example of split cost allocation data for accelerated instances",
 * https://docs.aws.amazon.com/cur/latest/userguide/example-accelerated-instances.html: a
 * p3.16xlarge (8 GPU, 64 vCPU, 488 GB) for $10 an hour: $0.504 a GPU, $0.05 a vCPU, $0.00506 a GB
 * (its unit cost $0.056 is rounded down before it is multiplied: exactly $10 ÷ 178.4).
 */
static void units_of_an_accelerated_instance_cost_as_in_the_guide(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	read_all(&input, "host 64 488 8 0 0 0; up 0 1 10;"
			 "hold 0 1 0 0 1 / 0 0 0; hold 0 1 1 0 0 / 0 0 0; hold 0 1 0 1 0 / 0 0 0");
	split_case_run(&input, COST_RULE_AWS, &sums);
	near(split_usd(&sums.parts[0]), 0.504, 0.001);
	near(split_usd(&sums.parts[1]), 0.05, 0.001);
	near(split_usd(&sums.parts[2]), 0.0056, 0.0001);
	near(split_usd(&sums.parts[0]), 9.0 / 17.84, 0.0001);
	near(split_usd(&sums.parts[0]) / split_usd(&sums.parts[1]), 10, 1e-6);
	near(split_usd(&sums.parts[1]) / split_usd(&sums.parts[2]), 9, 1e-6);
	/* each kind is held by one: it pays all of it */
	near((double)split_cost(&sums.parts[0]) / SPLIT_USD, 8 * 90 / 178.4, 0.0001);
}

/* What the guide leaves open. */
static void the_hour_is_one(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	/* half of the hour counts half; the idle second half is theirs, too */
	read_all(&input, "host 2 0 0 0 0 0; up 0 2 1; hold 0 0.5 1 0 0 / 0.25 0 0");
	split_case_run(&input, COST_RULE_AWS, &sums);
	assert_int_equal(sums.parts[0].used_nusd, SPLIT_USD / 16);
	assert_int_equal(sums.parts[0].unused_nusd, SPLIT_USD * 3 / 16);
	assert_int_equal(sums.parts[0].idle_nusd, SPLIT_USD * 3 / 4);
	assert_int_equal(sums.unallocated_nusd, SPLIT_USD); /* of the second hour */
	/* memory that none has: by the value of what they have, here of CPUs */
	read_all(&input,
		 "host 2 18 0 0 0 0; up 0 1 1; hold 0 1 1 0 0 / 0 0 0; hold 0 1 1 0 0 / 1 0 0");
	split_case_run(&input, COST_RULE_AWS, &sums);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(sums.parts[i].used_nusd + sums.parts[i].unused_nusd,
				 SPLIT_USD / 4);
		assert_int_equal(sums.parts[i].idle_nusd, SPLIT_USD / 4);
	}
	/* nothing is known of the host: what is allocated is what there is */
	read_all(&input,
		 "host 0 0 0 0 0 0; up 0 1 1; hold 0 1 1 9 0 / 1 9 0; hold 0 1 1 0 0 / 1 0 0");
	split_case_run(&input, COST_RULE_AWS, &sums);
	near((double)sums.parts[0].used_nusd, SPLIT_USD * 2.0 / 3, 1);
	near((double)sums.parts[1].used_nusd, SPLIT_USD / 3.0, 1);
}

/* Of what is idle for a whole hour, holds of a nanosecond get exact parts. */
static void short_holds_share_exactly(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	read_all(&input, "host 64 576 0 0 0 0; up 0 1 1; hold 0 0 1 0 0 / 0 0 0;"
			 "hold 0 0 2 0 0 / 0 0 0");
	for (size_t i = 0; i < 2; i++)
		input.holds[i].until_at = 1;
	split_case_run(&input, COST_RULE_AWS, &sums);
	near((double)split_cost(&sums.parts[0]), SPLIT_USD / 3.0, 1);
	near((double)split_cost(&sums.parts[1]), SPLIT_USD * 2.0 / 3, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shared_instance_is_split_as_in_the_guide),
		cmocka_unit_test(units_of_an_accelerated_instance_cost_as_in_the_guide),
		cmocka_unit_test(the_hour_is_one),
		cmocka_unit_test(short_holds_share_exactly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
