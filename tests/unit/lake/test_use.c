/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"

/* When what people leave open counts as use of its host: shells, notebooks. */

static Signal__Run *session(struct made *made, uint32_t pid)
{
	Signal__Run *run = made_run(made, "run", 0, -1);

	run->engine = "session";
	run->pid = pid;
	run->start_ns = pid * UINT64_C(1000);
	return run;
}

static const char *used(struct lake *lake)
{
	return lake_query(lake, "activity_used", "since_at= until_at=", "since_at until_at");
}

static void an_open_shell_is_no_use_of_its_host_what_was_typed_in_it_is(void **state)
{
	struct made made;

	made_init(&made, 1);
	session(&made, 1);
	made_execution(&made, 1, "", "bash", 0, -1);
	made_sample(&made, 1, "", 0, 10)->figures->user_ns = 5000000;
	made_task(&made, "a", "samtools", 20, 30);
	made_execution(&made, 2, "a", "samtools", 20, 30); /* it waited for a disk */
	lake_store(*state, &made);
	assert_string_equal(used(*state), "@20 @30\n");
}

static void a_notebook_uses_its_host_while_its_kernel_computes(void **state)
{
	Signal__Task *task;
	struct made made;

	made_init(&made, 1);
	session(&made, 1);
	task = made_task(&made, "a", "ipykernel_launcher", 0, -1);
	task->pid = 1;
	task->start_ns = 1000;
	made_execution(&made, 1, "a", "ipykernel_launcher", 0, -1);
	made_sample(&made, 1, "a", 0, 10)->figures->user_ns = 99999999; /* just under 1 % */
	made_sample(&made, 1, "a", 10, 20)->figures->user_ns = 100000000;
	made_sample(&made, 1, "a", 20, 30)->figures->user_ns = 0;
	lake_store(*state, &made);
	assert_string_equal(used(*state), "@10 @20\n");
}

static void a_script_that_waits_still_uses_its_host(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 50)->engine = "bash";
	made_execution(&made, 1, "", "align.sh", 0, 50);
	lake_store(*state, &made);
	assert_string_equal(used(*state), "@0 @50\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(an_open_shell_is_no_use_of_its_host_what_was_typed_in_it_is),
		TEST(a_notebook_uses_its_host_while_its_kernel_computes),
		TEST(a_script_that_waits_still_uses_its_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
