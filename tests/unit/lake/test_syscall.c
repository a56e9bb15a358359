/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define ALL  "run=run task= tool= class= limit=10"
#define WHAT "tool class error calls time_ns executions"

static void made_calls(struct made *made, uint32_t pid, const char *task, const char *class,
		       const char *error, uint64_t calls)
{
	Signal__Syscall *syscall = made_add(made, "syscalls");

	syscall->pid = pid;
	syscall->start_ns = pid * UINT64_C(1000);
	syscall->image_seq = pid;
	syscall->run_id = "run";
	syscall->task_id = (char *)(uintptr_t)task;
	syscall->class_ = (char *)(uintptr_t) class;
	syscall->error = (char *)(uintptr_t)error;
	syscall->calls = calls;
	syscall->time_ns = calls * 100;
}

/* Two executions of bwa, and one of which nothing else is known. */
static void make(struct made *made, uint64_t sequence)
{
	made_init(made, sequence);
	made_calls(made, 2, "a", "read", "", 50);
	made_calls(made, 2, "a", "read", "EAGAIN", 7);
	made_calls(made, 3, "", "read", "", 20);
	made_calls(made, 3, "", "open", "other", 4);
	made_calls(made, 4, "", "lock", "", 1);
	made_execution(made, 2, "a", "bwa", 0, 1);
	made_execution(made, 3, "", "bwa", 0, 1);
}

static void parts_add_up_by_tool_class_and_error(void **state)
{
	struct made made;

	make(&made, 1);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "syscalls", ALL, WHAT), "bwa read - 70 7000 2\n"
								       "bwa read EAGAIN 7 700 1\n"
								       "bwa open other 4 400 1\n"
								       "? lock - 1 100 1\n");
	make(&made, 2);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "syscalls", ALL, WHAT), "bwa read - 140 14000 2\n"
								       "bwa read EAGAIN 14 1400 1\n"
								       "bwa open other 8 800 1\n"
								       "? lock - 2 200 1\n");
}

static void a_batch_that_comes_twice_counts_once(void **state)
{
	struct made made;
	struct error err = { 0 };
	struct store *store = ((struct lake *)*state)->store;
	bool duplicate = false;

	make(&made, 1);
	lake_store(*state, &made);
	make(&made, 1);
	assert_int_equal(store_ingest(store, &made.batch, &duplicate, &err), 0);
	assert_true(duplicate);
	made_clear(&made);
	assert_string_equal(
		lake_query(*state, "syscalls", "run=run task= tool= class= limit=1", "class calls"),
		"read 70\n");
}

static void filters_select(void **state)
{
	struct made made;

	make(&made, 1);
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "syscalls", "run=run task=a tool= class= limit=10", WHAT),
		"bwa read - 50 5000 1\nbwa read EAGAIN 7 700 1\n");
	assert_string_equal(
		lake_query(*state, "syscalls", "run=run task= tool=? class= limit=10", WHAT),
		"? lock - 1 100 1\n");
	assert_string_equal(
		lake_query(*state, "syscalls", "run=run task= tool=bwa class=open limit=10", WHAT),
		"bwa open other 4 400 1\n");
	assert_string_equal(
		lake_query(*state, "syscalls", "run=other task= tool= class= limit=10", WHAT), "");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(parts_add_up_by_tool_class_and_error),
		TEST(a_batch_that_comes_twice_counts_once),
		TEST(filters_select),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
