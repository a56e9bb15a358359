/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define ALL  "run=run task= tool= limit=10"
#define WHAT "pid tool family protocol loopback rx_bytes tx_bytes connects"

static Signal__Network *made_network(struct made *made, uint32_t pid, const char *task,
				     const char *family, const char *protocol, bool loopback)
{
	Signal__Network *network = made_add(made, "networks");

	network->pid = pid;
	network->start_ns = pid * UINT64_C(1000);
	network->image_seq = pid;
	network->run_id = "run";
	network->task_id = (char *)(uintptr_t)task;
	network->family = (char *)(uintptr_t)family;
	network->protocol = (char *)(uintptr_t)protocol;
	network->loopback = loopback;
	return network;
}

/* Two executions; one speaks in four ways. */
static void make(struct made *made, uint64_t sequence, uint64_t bytes)
{
	made_init(made, sequence);
	made_network(made, 2, "a", "inet", "tcp", false)->rx_bytes = bytes + 4;
	made_network(made, 2, "a", "inet", "tcp", true)->tx_bytes = bytes + 3;
	made_network(made, 2, "a", "inet", "udp", true)->tx_bytes = bytes + 2;
	made_network(made, 2, "a", "unix", "stream", false)->tx_bytes = bytes + 1;
	made_network(made, 3, "", "inet6", "tcp", false)->connects = 1;
}

static void each_way_of_an_execution_is_a_row_and_the_later_stands(void **state)
{
	struct made made;

	make(&made, 1, 10);
	made_execution(&made, 2, "a", "curl", 0, 1);
	made_execution(&made, 3, "", "", 0, 1)->exe = "/usr/bin/ssh";
	/* In one batch the last of each key. */
	made_network(&made, 2, "a", "inet", "tcp", true)->tx_bytes = 7;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "networks", ALL, WHAT),
			    "2 curl inet tcp 0 14 0 0\n"
			    "2 curl inet udp 1 0 12 0\n"
			    "2 curl unix stream 0 0 11 0\n"
			    "2 curl inet tcp 1 0 7 0\n"
			    "3 ssh inet6 tcp 0 0 0 1\n");
	make(&made, 2, 100);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "networks", ALL, WHAT),
			    "2 curl inet tcp 0 104 0 0\n"
			    "2 curl inet tcp 1 0 103 0\n"
			    "2 curl inet udp 1 0 102 0\n"
			    "2 curl unix stream 0 0 101 0\n"
			    "3 ssh inet6 tcp 0 0 0 1\n");
}

static void what_an_earlier_batch_said_does_not_come_back(void **state)
{
	struct made made;

	make(&made, 5, 100);
	lake_store(*state, &made);
	make(&made, 4, 10);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "networks", "run=run task= tool= limit=1",
				       "family protocol rx_bytes"),
			    "inet tcp 104\n");
}

static void filters_select_and_an_unknown_execution_has_no_name(void **state)
{
	struct made made;

	make(&made, 1, 10);
	made_execution(&made, 2, "a", "curl", 0, 1);
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "networks", "run=run task= tool=? limit=10", "pid tool task_id"),
		"3 ? -\n");
	assert_string_equal(lake_query(*state, "networks", "run=run task=a tool=curl limit=2",
				       "pid protocol loopback"),
			    "2 tcp 0\n2 tcp 1\n");
	assert_string_equal(lake_query(*state, "networks", "run=other task= tool= limit=10", "pid"),
			    "");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(each_way_of_an_execution_is_a_row_and_the_later_stands),
		TEST(what_an_earlier_batch_said_does_not_come_back),
		TEST(filters_select_and_an_unknown_execution_has_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
