/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixture_store.h"

/* The price of a host is kept by time. */

#define ASK(lake) lake_query((lake), "host_prices", "", "host_id since_at usd_hour source reason")

/* The host says that its agent began and was alive at these seconds. */
static Signal__Host *say(struct made *made, uint64_t sequence, double began, double usd_hour)
{
	Signal__Host *host;

	made_init(made, sequence);
	host = made_add(made, "hosts");
	host->hostname = "node";
	host->cpus = 4;
	host->agent_started_at = T0 + (int64_t)(began * 1e9);
	host->seen_at = T0 + (int64_t)sequence * S;
	host->price_usd_hour = usd_hour;
	return host;
}

static void first_price_holds_for_all_time_and_is_stored_once(void **state)
{
	struct made made;

	say(&made, 10, 9, 0.4);
	lake_store(*state, &made);
	say(&made, 70, 9, 0.4);
	lake_store(*state, &made);
	assert_string_equal(ASK(*state), "host - 0.4 configured reported\n");
}

static void restart_without_a_price_changes_nothing_before_it(void **state)
{
	struct made made;

	say(&made, 10, 9, 0.4);
	lake_store(*state, &made);
	say(&made, 100, 98, 0);
	lake_store(*state, &made);
	assert_string_equal(ASK(*state), "host - 0.4 configured reported\n"
					 "host @98 - - reported\n");
	say(&made, 200, 190, 0.5);
	lake_store(*state, &made);
	assert_string_equal(ASK(*state), "host - 0.4 configured reported\n"
					 "host @98 - - reported\n"
					 "host @190 0.5 configured reported\n");
}

static void what_is_known_later_of_a_host_holds_since_its_agent_began(void **state)
{
	struct made made;

	say(&made, 100, 98, 0);
	lake_store(*state, &made);
	say(&made, 105, 98, 0.25)->instance_type = "m5.large";
	lake_store(*state, &made);
	assert_string_equal(ASK(*state), "host - - - reported\n"
					 "host @98 0.25 configured reported\n");
}

static void agent_that_starts_again_and_learns_its_cloud_later_leaves_no_gap(void **state)
{
	struct made made;

	say(&made, 10, 9, 0.25)->instance_type = "m5.large";
	lake_store(*state, &made);
	say(&made, 100, 98, 0);
	lake_store(*state, &made);
	say(&made, 101, 98, 0.25)->instance_type = "m5.large";
	lake_store(*state, &made);
	assert_string_equal(ASK(*state), "host - 0.25 configured reported\n"
					 "host @98 0.25 configured reported\n");
}

static void an_older_record_that_arrives_late_is_of_no_effect(void **state)
{
	struct made made;

	say(&made, 100, 9, 0.4);
	lake_store(*state, &made);
	say(&made, 50, 9, 0.3);
	lake_store(*state, &made);
	assert_string_equal(ASK(*state), "host - 0.4 configured reported\n");
}

/* A list or a setting of the lake, not of the host. */
static double listed;

static void price(void *context, const struct machine *machine, struct machine_price *ret)
{
	(void)context;
	assert_string_equal(machine->hostname, "node");
	*ret = (struct machine_price){ listed, "list" };
}

static void a_new_list_holds_from_the_next_report_on(void **state)
{
	struct lake *lake = *state;
	struct store_options options = { .path = lake->path, .prices = { price, NULL } };
	struct error err = { "" };
	struct made made;

	store_close(lake->store);
	listed = 0.1;
	assert_int_equal(store_open(&lake->store, &options, &err), 0);
	say(&made, 10, 9, 0);
	lake_store(lake, &made);
	listed = 0.2;
	say(&made, 70, 9, 0);
	lake_store(lake, &made);
	assert_string_equal(ASK(lake), "host - 0.1 list reported\n"
				       "host @70 0.2 list reported\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(first_price_holds_for_all_time_and_is_stored_once,
						lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(restart_without_a_price_changes_nothing_before_it,
						lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(
			what_is_known_later_of_a_host_holds_since_its_agent_began, lake_setup,
			lake_teardown),
		cmocka_unit_test_setup_teardown(
			agent_that_starts_again_and_learns_its_cloud_later_leaves_no_gap,
			lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(an_older_record_that_arrives_late_is_of_no_effect,
						lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(a_new_list_holds_from_the_next_report_on,
						lake_setup, lake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
