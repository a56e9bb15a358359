/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tune/recommend/machine_doubt.h"

#define BIT(doubt) (1u << (doubt))

static const struct recommend_machine M5 = { .provider = "aws",
					     .type = "m5.large",
					     .family = "m5",
					     .arch = "x86_64",
					     .threads_per_core = 2,
					     .clock_ghz = 3.1 };
static const struct recommend_machine UNKNOWN = {
	.provider = "", .type = "", .family = "", .arch = "x86_64"
};

static const struct {
	const char *name;
	const struct recommend_machine *measured;
	struct recommend_machine machine;
	unsigned doubts;
} cases[] = {
	{ "another size of the family",
	  &M5,
	  { .provider = "aws",
	    .family = "m5",
	    .arch = "x86_64",
	    .threads_per_core = 2,
	    .clock_ghz = 3.1 },
	  0 },
	{ "another clock in the family",
	  &M5,
	  { .provider = "aws",
	    .family = "m5",
	    .arch = "x86_64",
	    .threads_per_core = 2,
	    .clock_ghz = 3.5 },
	  BIT(DOUBT_CLOCK) },
	{ "another generation",
	  &M5,
	  { .provider = "aws", .family = "m7i", .arch = "x86_64", .threads_per_core = 2 },
	  BIT(DOUBT_FAMILY) },
	{ "whole cores",
	  &M5,
	  { .provider = "aws", .family = "m7a", .arch = "x86_64", .threads_per_core = 1 },
	  BIT(DOUBT_FAMILY) | BIT(DOUBT_THREADS) },
	{ "another architecture",
	  &M5,
	  { .provider = "aws", .family = "m7g", .arch = "arm64", .threads_per_core = 1 },
	  BIT(DOUBT_ARCH) },
	{ "the same name at another provider",
	  &M5,
	  { .provider = "gcp", .family = "m5", .arch = "x86_64" },
	  BIT(DOUBT_FAMILY) },
	{ "burstable",
	  &M5,
	  { .provider = "aws",
	    .family = "t3",
	    .arch = "x86_64",
	    .threads_per_core = 2,
	    .burstable = true },
	  BIT(DOUBT_FAMILY) | BIT(DOUBT_BURST) },
	{ "measured on premises",
	  &UNKNOWN,
	  { .provider = "aws", .family = "m5", .arch = "x86_64" },
	  BIT(DOUBT_MEASURED_UNKNOWN) },
	{ "measured and asked for on premises",
	  &UNKNOWN,
	  { .provider = "", .family = "", .arch = "" },
	  0 },
};

static void what_is_not_known_of_a_machine(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		print_message("%s\n", cases[i].name);
		assert_int_equal(machine_doubts(cases[i].measured, &cases[i].machine),
				 cases[i].doubts);
	}
}

static void each_doubt_widens_and_has_words(void **state)
{
	(void)state;
	assert_true(machine_doubt_spread(0) == 0);
	for (int i = 0; i < MACHINE_DOUBTS; i++) {
		assert_true(machine_doubt_spread(BIT(i)) > 0);
		assert_true(machine_doubt_spread(BIT(i) | BIT(DOUBT_ARCH)) >=
			    machine_doubt_spread(BIT(DOUBT_ARCH)));
		assert_non_null(machine_doubt_words(i));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_known_of_a_machine),
		cmocka_unit_test(each_doubt_widens_and_has_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
