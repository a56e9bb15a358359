/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "tune/slowness/cpu_loss.h"

/* Wall seconds in which it computed or was ready, its threads' CPU and ready seconds, the host's
 * CPUs; CPUs that others used, and other tasks of its run. What is found. */
static const struct {
	const char *name;
	struct cpu_use use;
	double others, own_run;
	double all, taken, own, share;
} cases[] = {
	{ "one thread beside a hog has half of a CPU", { 10, 5, 5, 1 }, 0.5, 0, 5, 5, 0, 1 },
	{ "nothing waited", { 10, 10, 0, 2 }, 1, 0, 0, 0, 0, 0 },
	{ "eight threads on two CPUs that they have for themselves",
	  { 10, 20, 60, 2 },
	  0.01,
	  0,
	  7.5,
	  0,
	  7.5,
	  0 },
	{ "two threads on two CPUs beside two hogs", { 10, 10, 10, 2 }, 1, 0, 5, 5, 0, 1 },
	{ "four threads on two CPUs beside a hog of one: both",
	  { 10, 10, 30, 2 },
	  1,
	  0,
	  7.5,
	  5,
	  2.5,
	  1 },
	{ "what other tasks of the run took is theirs",
	  { 10, 10, 10, 2 },
	  0.25,
	  0.75,
	  5,
	  5,
	  0,
	  0.25 },
	{ "others used too little for that: the rest has another cause",
	  { 10, 10, 10, 2 },
	  0.1,
	  0,
	  5,
	  5,
	  0,
	  0.1 },
	{ "no other work", { 10, 10, 10, 2 }, 0, 0, 5, 5, 0, 0 },
	{ "no time", { 0, 0, 0, 2 }, 1, 1, 0, 0, 0, 0 },
	{ "a host of which the CPUs are not known", { 10, 5, 5, 0 }, 1, 0, 5, 5, 0, 1 },
};

static void near(double seen, double wanted)
{
	if (fabs(seen - wanted) > 1e-9)
		fail_msg("%g instead of %g", seen, wanted);
}

static void loss_is_what_ready_threads_did_not_get(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cpu_loss loss = cpu_loss_find(&cases[i].use);

		print_message("%s\n", cases[i].name);
		near(loss.all_ns, cases[i].all);
		near(loss.taken_ns, cases[i].taken);
		near(loss.own_ns, cases[i].own);
		near(cpu_loss_share(&cases[i].use, cases[i].others, cases[i].own_run),
		     cases[i].share);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loss_is_what_ready_threads_did_not_get),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
