/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cost/policy/policy.h"
#include "cost/price.h"

static void the_source_of_a_price_says_all_of_it(void **state)
{
	static const char YAML[] =
		"machines: [{hosts: '*', usd_year: 8766}]\n"
		"factors: [{name: savings plan 2026, provider: aws, families: m5, factor: 0.72}]\n";
	static const struct {
		struct cost_machine machine;
		double usd_hour;
		const char *source;
	} cases[] = {
		{ { "node1", "", "", "", "", 0.4, 0.3, "list" }, 0.4, "configured" },
		{ { "node1", "", "", "", "", 0, 0, NULL }, 1, "machine *: 8,766 USD a year" },
		{ { "ip-1", "aws", "us-east-1", "m5.large", "", 0, 0, NULL },
		  0.096 * 0.72,
		  "aws on demand, us-east-1, list of 2026-07-20 × 0.72 savings plan 2026" },
		{ { "ip-1", "aws", "us-east-1", "m5.large", "spot", 0, 0.05, "list of 2026-11-01" },
		  0.05 * 0.72,
		  "aws spot, us-east-1, list of 2026-11-01 × 0.72 savings plan 2026" },
		{ { "ip-1", "aws", "us-east-1", "c5.large", NULL, 0, 0, NULL },
		  0.085,
		  "aws on demand, us-east-1, list of 2026-07-20" },
		{ { "ip-1", "aws", "us-east-1", "unknown", "", 0, 0, NULL }, -1, "" },
		{ { NULL, NULL, NULL, NULL, NULL, 0, 0, NULL }, -1, "" },
	};
	CLEANUP(cost_policy_freep) struct cost_policy *policy = NULL;

	assert_int_equal(cost_policy_parse(YAML, strlen(YAML), "cost.yaml", &policy, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cost_price price = cost_price(&cases[i].machine, policy);

		assert_true(fabs(price.usd_hour - cases[i].usd_hour) < 1e-9);
		assert_string_equal(price.source, cases[i].source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_source_of_a_price_says_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
