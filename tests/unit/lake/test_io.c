/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ALL  "run=run task= tool= limit=10"
#define WHAT "pid tool device operation requests bytes failures unfinished latency_ns"

static uint64_t rooms[8][32]; /* of lists, which batches only point to */
static size_t room;

/* Of which `bucket` holds all. */
static Signal__IoLatency *made_io(struct made *made, uint32_t pid, const char *device,
				  const char *operation, uint64_t requests, size_t bucket)
{
	Signal__IoLatency *io = made_add(made, "io_latencies");

	io->pid = pid;
	io->start_ns = pid * UINT64_C(1000);
	io->image_seq = pid;
	io->run_id = "run";
	io->task_id = pid == 2 ? "a" : "";
	io->device = (char *)(uintptr_t)device;
	io->operation = (char *)(uintptr_t)operation;
	io->requests = requests;
	io->bytes = requests * 4096;
	io->latency_ns = requests * 1000;
	io->latencies = rooms[room++ % 8];
	memset(io->latencies, 0, sizeof(rooms[0]));
	io->latencies[bucket] = requests;
	io->n_latencies = bucket + 1;
	return io;
}

static void parts_add_up_by_execution_device_and_operation(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_execution(&made, 2, "a", "sort", 0, 1);
	made_execution(&made, 3, "", "", 0, 1)->exe = "/usr/bin/dd";
	made_io(&made, 2, "vda", "read", 10, 3);
	made_io(&made, 2, "vda", "read", 5, 23)->failures = 1;
	made_io(&made, 2, "vda", "write", 4, 0);
	made_io(&made, 2, "", "read", 3, 0);
	made_io(&made, 3, "vda", "flush", 1, 31)->unfinished = 2; /* more than there are */
	lake_store(*state, &made);
	made_init(&made, 2);
	made_io(&made, 2, "vda", "read", 7, 3);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "io_latencies", ALL, WHAT),
			    "2 sort vda read 22 90112 1 0 22000\n"
			    "2 sort vda write 4 16384 0 0 4000\n"
			    "2 sort - read 3 12288 0 0 3000\n"
			    "3 dd vda flush 1 4096 0 2 1000\n");
	assert_string_equal(
		lake_query(*state, "io_latencies", "run=run task=a tool=sort limit=1", "latencies"),
		"[0,0,0,17,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,5]\n");
	assert_string_equal(
		lake_query(*state, "io_latencies", "run=run task= tool=dd limit=1", "latencies"),
		"[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]\n");
}

static void filters_select_and_an_unknown_execution_has_no_name(void **state)
{
	struct made made;

	made_init(&made, 1);
	made_io(&made, 2, "vda", "read", 10, 3);
	made_io(&made, 3, "vdb", "write", UINT64_MAX, 3);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "io_latencies", ALL, "pid tool task_id requests"),
			    "3 ? - 1152921504606846976\n2 ? a 10\n");
	assert_string_equal(
		lake_query(*state, "io_latencies", "run=run task=a tool= limit=10", "pid device"),
		"2 vda\n");
	assert_string_equal(
		lake_query(*state, "io_latencies", "run=other task= tool= limit=10", "pid"), "");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(parts_add_up_by_execution_device_and_operation),
		TEST(filters_select_and_an_unknown_execution_has_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
