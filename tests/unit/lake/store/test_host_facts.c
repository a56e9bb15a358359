/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lake/store/ingest/host_facts.h"

static void note(struct host_facts *facts, const char *host, const char *boot, uint64_t cpus)
{
	const struct boundary_facts found = { .cpus = cpus,
					      .memory_bytes = 1000 * cpus,
					      .booted_at = 7 };

	host_facts_note(facts, host, boot, &found);
}

/* How many CPUs are known: 0, none; -1, the store may know more. */
static int cpus_of(struct host_facts *facts, const char *host, const char *boot)
{
	struct boundary_facts found = { 0 };

	return host_facts_find(facts, host, boot, &found) ? (int)found.cpus : -1;
}

static void what_was_noted_last_of_a_host_and_boot_is_found(void **state)
{
	struct host_facts *facts = host_facts_new();
	struct boundary_facts found = { 0 };

	assert_int_equal(cpus_of(facts, "a", "1"), -1);
	note(facts, "a", "1", 4);
	note(facts, "a", "1", 8);
	note(facts, "a", "2", 16);
	assert_true(host_facts_find(facts, "a", "1", &found));
	assert_int_equal(found.cpus, 8);
	assert_int_equal(found.memory_bytes, 8000);
	assert_int_equal(found.booted_at, 7);
	assert_int_equal(cpus_of(facts, "a", "2"), 16);
	assert_int_equal(cpus_of(facts, "b", "1"), -1);
	host_facts_free(facts);
}

static void of_all_hosts_noted_another_is_known_to_be_unknown_until_some_are_forgotten(void **state)
{
	struct host_facts *facts = host_facts_new();
	char host[16];

	host_facts_complete(facts);
	for (int i = 0; i < HOST_FACTS_MAX; i++) {
		snprintf(host, sizeof(host), "%d", i);
		note(facts, host, "1", 4);
	}
	assert_int_equal(cpus_of(facts, "0", "1"), 4);
	assert_int_equal(cpus_of(facts, "another", "1"), 0);
	note(facts, "one too many", "1", 4);
	assert_int_equal(cpus_of(facts, "one too many", "1"), 4);
	assert_int_equal(cpus_of(facts, "0", "1"), -1);
	assert_int_equal(cpus_of(facts, "another", "1"), -1);
	host_facts_free(facts);
}

static void a_host_that_was_stored_before_the_store_was_opened_limits_its_agent(void **state)
{
	struct lake *lake = *state;
	Signal__Host *host;
	struct made made;

	made_init(&made, 1);
	host = made_add(&made, "hosts");
	host->hostname = "node";
	host->memory_bytes = UINT64_C(8) << 30;
	made_run(&made, "run", 0, 600);
	lake_store(lake, &made);
	lake_close(lake);
	lake_open(lake);
	made_init(&made, 601);
	made_execution(&made, 1, "", "bad", 0, 600)->figures->rss_peak_bytes = UINT64_C(13) << 30;
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "losses", "run=run limit=10", "what count why"),
			    "executions 1 rejected: more memory than its host has\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_noted_last_of_a_host_and_boot_is_found),
		cmocka_unit_test(
			of_all_hosts_noted_another_is_known_to_be_unknown_until_some_are_forgotten),
		cmocka_unit_test_setup_teardown(
			a_host_that_was_stored_before_the_store_was_opened_limits_its_agent,
			lake_setup, lake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
