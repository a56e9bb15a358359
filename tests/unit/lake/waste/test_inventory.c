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
#include "lake/store/change/store_change.h"
#include "lake/store/import/store_import.h"

/* Listings of providers: what is there, what is gone, and what has an agent. */

#define HOUR    3600
#define MACHINE "{\"kind\":\"machine\",\"account_id\":\"1\",\"region\":\"r\",\"zone\":\"ra\","
#define VOLUME  "{\"kind\":\"volume\",\"account_id\":\"1\",\"region\":\"r\",\"zone\":\"ra\","
#define REST                                                                                  \
	"\"name\":\"n\",\"hostname\":\"node-9.internal\",\"type\":\"m5.large\",\"purchase\":" \
	"\"spot\",\"image\":\"ami\",\"state\":\"running\",\"group\":\"g\",\"owner\":\"ann\"," \
	"\"tags\":{\"Owner\":\"ann\"},\"launched_at\":\"2026-01-01T00:00:00Z\"}\n"
#define DISK                                                                               \
	"\"name\":\"n\",\"type\":\"gp3\",\"bytes\":1073741824,\"owner\":\"\",\"tags\":{}," \
	"\"created_at\":\"nonsense\","
#define PART(what, complete)                                                          \
	"{\"kind\":\"region\",\"account_id\":\"1\",\"region\":\"r\",\"what\":\"" what \
	"\",\"complete\":" complete ",\"error\":\"\"}\n"
#define LISTING            "{\"kind\":\"listing\",\"account_id\":\"1\",\"complete\":true,\"error\":\"\"}\n"
#define MACHINES(lake, at) lake_query((lake), "waste_machines", "now_at=@" #at, "id has_agent")
#define VOLUMES(lake, at) \
	lake_query((lake), "waste_volumes", "now_at=@" #at, "id detached_since listed_at")

/* A listing at a second after T0, of which the next one is due within an hour. */
static void list(struct lake *lake, int64_t seconds, const char *lines)
{
	const struct store_param params[] = {
		{ "account", STORE_TEXT, { .text = "prod" } },
		{ "provider", STORE_TEXT, { .text = "aws" } },
		{ "now", STORE_TIME, { .i64 = T0 + seconds * S } },
		{ "known_until", STORE_TIME, { .i64 = T0 + (seconds + HOUR) * S } },
	};
	struct store_rows *answer = NULL;
	struct error err = { "" };
	char path[128];

	snprintf(path, sizeof(path), "%s/listing.json", lake->folder);
	assert_int_equal(file_write(path, lines, strlen(lines), 0600, &err), 0);
	if (store_import(lake->store, &(struct store_import){ "inventory", path, params, 4, 0 },
			 &answer, &err))
		fail_msg("%s", error_text(&err));
	store_rows_free(answer);
}

static void say_host(struct lake *lake, uint64_t sequence, const char *hostname, const char *id)
{
	struct made made;
	Signal__Host *host;

	made_init(&made, sequence);
	host = made_add(&made, "hosts");
	host->hostname = (char *)hostname;
	host->instance_id = (char *)id;
	host->agent_started_at = T0;
	host->seen_at = T0 + (int64_t)sequence * S;
	lake_store(lake, &made);
}

static void a_machine_is_known_until_the_next_listing_is_due(void **state)
{
	list(*state, 100, MACHINE "\"id\":\"i-1\"," REST PART("machines", "true") LISTING);
	assert_string_equal(
		lake_query(*state, "waste_machines", "now_at=@200",
			   "account provider account_id region id name instance_type purchase "
			   "kept_by owner tags launched_at first_listed_at listed_at usd_hour"),
		"prod aws 1 r i-1 n m5.large spot g ann {\"Owner\":\"ann\"} @0 @100 @100 -\n");
	assert_string_equal(MACHINES(*state, 99), "");
	assert_string_equal(MACHINES(*state, 3700), "i-1 0\n");
	assert_string_equal(MACHINES(*state, 3701), "");
	assert_string_equal(lake_query(*state, "inventory_parts", "",
				       "account region what listed_at complete error"),
			    "prod  account @100 1 \nprod r machines @100 1 \n");
}

static void only_a_complete_listing_says_that_a_machine_is_gone(void **state)
{
	list(*state, 100, MACHINE "\"id\":\"i-1\"," REST PART("machines", "true"));
	list(*state, 200, MACHINE "\"id\":\"i-2\"," REST PART("machines", "false"));
	assert_string_equal(MACHINES(*state, 250), "i-1 0\ni-2 0\n");
	list(*state, 300, PART("machines", "true"));
	assert_string_equal(MACHINES(*state, 250), "i-1 0\ni-2 0\n");
	assert_string_equal(MACHINES(*state, 300), "");
	list(*state, 400, MACHINE "\"id\":\"i-1\"," REST);
	assert_string_equal(
		lake_query(*state, "waste_machines", "now_at=@400", "id first_listed_at listed_at"),
		"i-1 @100 @400\n");
	list(*state, 31 * 24 * HOUR, LISTING);
	list(*state, 32 * 24 * HOUR, LISTING);
	assert_string_equal(MACHINES(*state, 400), "");
}

static void a_machine_has_an_agent_by_its_id_or_where_that_is_unknown_by_its_name(void **state)
{
	list(*state, 100, MACHINE "\"id\":\"i-1\"," REST PART("machines", "true"));
	say_host(*state, 50, "Node-9", "i-other");
	assert_string_equal(MACHINES(*state, 100), "i-1 0\n");
	say_host(*state, 51, "Node-9", "");
	assert_string_equal(MACHINES(*state, 100), "i-1 1\n");
	say_host(*state, 52, "node-1", "i-1");
	assert_string_equal(MACHINES(*state, 100), "i-1 1\n");
	/* It was seen last more than an hour before. */
	list(*state, 53 + HOUR, MACHINE "\"id\":\"i-1\"," REST PART("machines", "true"));
	assert_string_equal(MACHINES(*state, 3660), "i-1 0\n");
}

static void a_volume_is_unused_since_the_first_listing_without_a_machine(void **state)
{
	list(*state, 100,
	     VOLUME "\"id\":\"v-1\"," DISK "\"attached_to\":\"\"}\n" VOLUME "\"id\":\"v-2\"," DISK
		    "\"attached_to\":\"i-1\"}\n");
	list(*state, 200,
	     VOLUME "\"id\":\"v-1\"," DISK "\"attached_to\":\"\"}\n" VOLUME "\"id\":\"v-2\"," DISK
		    "\"attached_to\":\"\"}\n");
	assert_string_equal(VOLUMES(*state, 200), "v-1 @100 @200\nv-2 @200 @200\n");
	list(*state, 300,
	     VOLUME "\"id\":\"v-1\"," DISK "\"attached_to\":\"i-1\"}\n" PART("volumes", "true"));
	assert_string_equal(VOLUMES(*state, 300), "");
	list(*state, 400, VOLUME "\"id\":\"v-1\"," DISK "\"attached_to\":\"\"}\n");
	assert_string_equal(VOLUMES(*state, 400), "v-1 @400 @400\n");
	/* Where the provider says when, it is believed, but for what is still to come. */
	list(*state, 500,
	     VOLUME "\"id\":\"v-1\",\"detached_at\":\"2026-01-01T00:00:07Z\"," DISK
		    "\"attached_to\":\"\"}\n" VOLUME
		    "\"id\":\"v-3\",\"detached_at\":\"2027-01-01T00:00:07Z\"," DISK
		    "\"attached_to\":\"\"}\n");
	assert_string_equal(VOLUMES(*state, 500), "v-1 @7 @500\nv-3 @500 @500\n");
}

/* A waste about each, which goes on. */
static void find_waste(struct lake *lake)
{
	const struct store_param params[] = {
		{ "found",
		  STORE_TEXT,
		  { .text = "[{\"kind\":\"machine_without_agent\",\"id\":\"i-1\",\"since_at\":1,\"found_at\":1,"
			    "\"host_id\":\"\",\"run_id\":\"\",\"document\":{}},{\"kind\":\"volume_unused\","
			    "\"id\":\"v-1\",\"since_at\":1,\"found_at\":1,\"host_id\":\"\",\"run_id\":\"\","
			    "\"document\":{}}]" } },
		{ "ended", STORE_TEXT, { .text = "[]" } },
	};
	struct error err = { "" };

	if (store_change(lake->store, "wastes", params, 2, &err))
		fail_msg("%s", error_text(&err));
}

static void what_a_waste_is_about_is_told_also_when_it_is_gone_or_not_known(void **state)
{
	const char *const machines = "id listed", *const volumes = "id attached_to listed";

	list(*state, 100,
	     MACHINE "\"id\":\"i-1\"," REST VOLUME "\"id\":\"v-1\"," DISK
		     "\"attached_to\":\"\"}\n");
	find_waste(*state);
	assert_string_equal(lake_query(*state, "waste_machines", "now_at=@3700", machines),
			    "i-1 now\n");
	assert_string_equal(lake_query(*state, "waste_machines", "now_at=@3701", machines),
			    "i-1 unknown\n");
	assert_string_equal(lake_query(*state, "waste_volumes", "now_at=@3701", volumes),
			    "v-1  unknown\n");
	list(*state, 4000,
	     PART("machines", "true") VOLUME "\"id\":\"v-1\"," DISK "\"attached_to\":\"i-2\"}\n");
	assert_string_equal(lake_query(*state, "waste_machines", "now_at=@9000", machines),
			    "i-1 gone\n");
	assert_string_equal(lake_query(*state, "waste_volumes", "now_at=@4000", volumes),
			    "v-1 i-2 now\n");
	list(*state, 5000, PART("volumes", "true"));
	assert_string_equal(lake_query(*state, "waste_volumes", "now_at=@5000", volumes),
			    "v-1 i-2 gone\n");
}

static void a_machine_that_is_listed_twice_is_one(void **state)
{
	list(*state, 100,
	     MACHINE "\"id\":\"i-1\"," REST MACHINE "\"id\":\"i-1\"," REST PART("machines", "true")
		     PART("machines", "true"));
	assert_string_equal(MACHINES(*state, 100), "i-1 0\n");
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, lake_setup, lake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(a_machine_is_known_until_the_next_listing_is_due),
		EACH(only_a_complete_listing_says_that_a_machine_is_gone),
		EACH(a_machine_has_an_agent_by_its_id_or_where_that_is_unknown_by_its_name),
		EACH(a_volume_is_unused_since_the_first_listing_without_a_machine),
		EACH(a_machine_that_is_listed_twice_is_one),
		EACH(what_a_waste_is_about_is_told_also_when_it_is_gone_or_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
