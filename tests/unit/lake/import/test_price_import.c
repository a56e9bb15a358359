/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "fixture_store.h"
#include "lake/store/import/store_import.h"

/* Price lists and corrected prices change what hosts cost from then on, and what was before only
 * where a correction says so. */

#define EACH(test)  cmocka_unit_test_setup_teardown(test, set_up, lake_teardown)
#define HEAD        "provider,region,instance_type,purchase,usd_hour\n"
#define TIMES(lake) lake_query((lake), "host_prices", "", "since_at usd_hour source reason")

static void price(void *context, const struct machine *machine, struct machine_price *ret)
{
	(void)context;
	*ret = (struct machine_price){ machine->listed_usd_hour, "list" };
	if (machine->listed_usd_hour > 0)
		snprintf(ret->source, sizeof(ret->source), "%s", machine->list);
	else
		*ret = (struct machine_price){ 0.5, "catalogue" };
}

static int set_up(void **state)
{
	int rc = lake_setup(state);
	struct lake *lake = *state;
	struct store_options options = { .path = lake->path, .prices = { price, NULL } };
	struct error err = { "" };

	store_close(lake->store);
	assert_int_equal(store_open(&lake->store, &options, &err), 0);
	return rc;
}

static void say_host(struct lake *lake, uint64_t sequence, const char *purchase)
{
	struct made made;
	Signal__Host *host;

	made_init(&made, sequence);
	host = made_add(&made, "hosts");
	host->hostname = "node";
	host->provider = "aws";
	host->region = "eu-west-1";
	host->instance_type = "m6i.large";
	host->purchase = (char *)purchase;
	host->agent_started_at = T0;
	host->seen_at = T0 + (int64_t)sequence * S;
	lake_store(lake, &made);
}

static void import(struct lake *lake, const char *rows, int64_t seconds, int64_t ret[2])
{
	const struct store_param params[] = {
		{ "list", STORE_TEXT, { .text = "price list of 2026-11-01" } },
		{ "valid_from", STORE_NULL, { .i64 = 0 } },
		{ "now", STORE_TIME, { .i64 = T0 + seconds * S } },
	};
	struct store_rows *answer = NULL;
	struct error err = { "" };
	char path[128];

	snprintf(path, sizeof(path), "%s/prices.csv", lake->folder);
	assert_int_equal(file_write(path, rows, strlen(rows), 0600, &err), 0);
	if (store_import(lake->store, &(struct store_import){ "prices", path, params, 3, 0 },
			 &answer, &err))
		fail_msg("%s", error_text(&err));
	assert_true(store_next(answer));
	ret[0] = store_i64(answer, 0);
	ret[1] = store_i64(answer, 1);
	store_rows_free(answer);
}

static void correct(struct lake *lake, double usd_hour, int64_t since, int64_t now)
{
	const struct store_param params[] = {
		{ "host", STORE_TEXT, { .text = "host" } },
		{ "usd_hour", STORE_DOUBLE, { .number = usd_hour } },
		{ "source", STORE_TEXT, { .text = "corrected" } },
		{ "since_at", STORE_TIME, { .i64 = T0 + since * S } },
		{ "now", STORE_TIME, { .i64 = T0 + now * S } },
	};
	struct store_rows *answer = NULL;
	struct error err = { "" };
	char path[128];

	snprintf(path, sizeof(path), "%s/price.csv", lake->folder);
	assert_int_equal(file_write(path, "x\n", 2, 0600, &err), 0);
	if (store_import(lake->store, &(struct store_import){ "host_price", path, params, 5, 0 },
			 &answer, &err))
		fail_msg("%s", error_text(&err));
	assert_true(store_next(answer));
	assert_int_equal(store_i64(answer, 0), 1);
	store_rows_free(answer);
}

static void a_list_holds_from_its_import_on(void **state)
{
	int64_t counts[2];

	say_host(*state, 10, "");
	assert_string_equal(TIMES(*state), "- 0.5 catalogue reported\n");
	import(*state,
	       HEAD "aws,eu-west-1,m6i.large,on_demand,0.1\n"
		    "aws,eu-west-1,m6i.large,spot,0.03\n"
		    "gcp,eu-west-1,m6i.large,on_demand,0.7\n",
	       INT64_C(400000000), counts);
	assert_int_equal(counts[0], 3);
	assert_int_equal(counts[1], 1);
	assert_string_equal(TIMES(*state), "- 0.5 catalogue reported\n"
					   "@4e+08 0.1 price list of 2026-11-01 reported\n");
}

/* The list came before the host's report was stored, and is stored behind it. */
static void a_list_counts_against_a_report_that_was_stored_meanwhile(void **state)
{
	int64_t counts[2];

	say_host(*state, 10, "");
	import(*state, HEAD "aws,eu-west-1,m6i.large,on_demand,0.1\n", 5, counts);
	assert_int_equal(counts[1], 1);
	assert_string_equal(lake_query(*state, "prices", "", "usd_hour source since_at"),
			    "0.1 price list of 2026-11-01 @5\n");
}

static void an_earlier_price_of_the_list_is_replaced(void **state)
{
	int64_t counts[2];

	import(*state,
	       HEAD "aws,eu-west-1,m6i.large,on_demand,0.1\n"
		    "aws,eu-west-1,m6i.xlarge,on_demand,0.2\n",
	       1, counts);
	import(*state,
	       HEAD "aws,eu-west-1,m6i.large,on_demand,0.3\n"
		    "aws,eu-west-1,m6i.large,on_demand,0.4\n",
	       2, counts);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[1], 0);
	assert_string_equal(lake_query(*state, "price_lists", "", "imported_at prices regions"),
			    "@2 1 1\n@1 1 1\n");
	say_host(*state, 10, "");
	assert_string_equal(TIMES(*state), "- 0.4 price list of 2026-11-01 reported\n");
}

static void a_spot_machine_has_the_price_of_spot_or_none_of_the_list(void **state)
{
	int64_t counts[2];

	import(*state, HEAD "aws,eu-west-1,m6i.large,on_demand,0.1\n", 1, counts);
	say_host(*state, 10, "spot");
	assert_string_equal(TIMES(*state), "- 0.5 catalogue reported\n");
	import(*state, HEAD "aws,eu-west-1,m6i.large,spot,0.04\n", INT64_C(400000000), counts);
	assert_string_equal(TIMES(*state), "- 0.5 catalogue reported\n"
					   "@4e+08 0.04 price list of 2026-11-01 reported\n");
}

static void a_correction_counts_against_what_was_recorded_before(void **state)
{
	say_host(*state, 10, "");
	correct(*state, 0.25, 60, INT64_C(400000000));
	assert_string_equal(TIMES(*state), "- 0.5 catalogue reported\n"
					   "@60 0.25 corrected corrected\n");
	assert_string_equal(
		lake_query(*state, "prices", "", "host usd_hour source reason since_at"),
		"node 0.25 corrected corrected @60\n");
	say_host(*state, 20, "");
	assert_string_equal(lake_query(*state, "hosts", "host=node", "price_usd_hour price_source"),
			    "0.25 corrected\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(a_list_holds_from_its_import_on),
		EACH(a_list_counts_against_a_report_that_was_stored_meanwhile),
		EACH(an_earlier_price_of_the_list_is_replaced),
		EACH(a_spot_machine_has_the_price_of_spot_or_none_of_the_list),
		EACH(a_correction_counts_against_what_was_recorded_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
