/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture_sizes.h"
#include "base/cleanup.h"

/* CPUs: advised, whether it wants more. */
static const struct {
	const char *name, *tasks;
	double advised;
	bool wants_more;
} cpus_cases[] = {
	{ "one CPU in use needs one",
	  "a ok - 1 cpus=8 used=1\na ok - 1 cpus=8 used=0.9\na ok - 1 cpus=8 used=1", 1, false },
	{ "all in use keeps all, and it may want more",
	  "a ok - 1 cpus=4 used=3.9\na ok - 1 cpus=4 used=3.8\na ok - 1 cpus=4 used=3.9", 4, true },
	{ "two in use of eight may be eight for a while",
	  "a ok - 1 cpus=8 used=2\na ok - 1 cpus=8 used=2\na ok - 1 cpus=8 used=2", 6, false },
	{ "more in use than requested: what it uses",
	  "a ok - 1 cpus=12 used=16.5\na ok - 1 cpus=12 used=16.4\na ok - 1 cpus=12 used=16.5", 17,
	  true },
	{ "not measured: as requested", "a ok - 1 cpus=8\na ok - 1 cpus=8\na ok - 1 cpus=8", 8,
	  false },
	{ "two tasks are not enough: as requested",
	  "a ok - 1 cpus=8 used=1\na ok - 1 cpus=8 used=1", 8, false },
	{ "no request and the host is not known: not known",
	  "a ok - 1 used=1\na ok - 1 used=1\na ok - 1 used=1", -1, false },
	{ "it waits for free CPUs: it may want more",
	  "a ok - 1 cpus=4 used=1 waits=0.3\na ok - 1 cpus=4 used=1 waits=0.3\n"
	  "a ok - 1 cpus=4 used=1 waits=0.3",
	  4, true },
};

static void cpus_of_a_step(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cpus_cases) / sizeof(cpus_cases[0]); i++) {
		CLEANUP(sizes_clear) struct sizes sizes = size_of(cpus_cases[i].tasks);
		const struct size_cpus *cpus = &sizes_find(&sizes, "ALIGN")->cpus;
		if (fabs(cpus->advised - cpus_cases[i].advised) > 1e-9 ||
		    cpus->wants_more != cpus_cases[i].wants_more)
			fail_msg("%s: %g CPUs, wants more: %d", cpus_cases[i].name, cpus->advised,
				 cpus->wants_more);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_of_a_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
