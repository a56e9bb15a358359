/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "fixture_store.h"
#include "lake/store/change/store_change.h"
#include "lake/store/upkeep/upkeep.h"

/* What sweeps found is kept from the first sweep that finds it to the one that does not. */

#define AT(s) ((T0 + (int64_t)(s)*S) / 1000) /* µs */
#define COLUMNS \
	"kind id since_at found_at ended_at outcome usd_hour counted_usd_hour name up_again_at"
#define ASK(lake) lake_query((lake), "wastes", "since_at=@0 limit=10", COLUMNS)
#define SILENT \
	"{\"subject\":\"host\",\"name\":\"node-1\",\"who\":\"ada\",\"evidence\":{\"cpu\":0.01}}"

static void change(struct lake *lake, const char *found, const char *ended)
{
	const struct store_param params[] = {
		{ .name = "found", .type = STORE_TEXT, .text = found },
		{ .name = "ended", .type = STORE_TEXT, .text = ended }
	};
	struct error err = { "" };
	int rc = store_change(lake->store, "wastes", params, 2, &err);

	if (rc)
		fail_msg("%s", error_text(&err));
}

static const char *idle_since(int since_s, double usd_hour)
{
	static char text[512];

	snprintf(
		text, sizeof(text),
		"[{\"kind\":\"host_idle\",\"id\":\"host\",\"since_at\":%lld,\"found_at\":%lld,"
		"\"host_id\":\"host\",\"run_id\":\"\",\"usd_hour\":%g,\"counted_usd_hour\":%g,\"document\":" SILENT
		"}]",
		(long long)AT(since_s), (long long)AT(since_s + 10), usd_hour, usd_hour);
	return text;
}

static const char *idle(double usd_hour)
{
	return idle_since(10, usd_hour);
}

static const char *ended(int at_s, const char *outcome)
{
	static char text[256];

	snprintf(text, sizeof(text),
		 "[{\"kind\":\"host_idle\",\"id\":\"host\",\"ended_at\":%lld,\"outcome\":\"%s\"}]",
		 (long long)AT(at_s), outcome);
	return text;
}

static void what_is_found_again_is_one_row_with_its_last_price(void **state)
{
	change(*state, idle(0.5), "[]");
	change(*state, idle(0.25), "[]");
	assert_string_equal(ASK(*state), "host_idle host @10 @20 -  0.25 0.25 node-1 -\n");
}

static void what_ends_stays_with_its_outcome_and_a_later_one_is_another(void **state)
{
	change(*state, idle(0.5), "[]");
	change(*state, "[]", ended(100, "used"));
	change(*state, idle_since(101, 0.5), ended(200, "used"));
	assert_string_equal(ASK(*state), "host_idle host @10 @20 @100 used 0.5 0.5 node-1 -\n"
					 "host_idle host @101 @111 @200 used 0.5 0.5 node-1 -\n");
}

static void no_time_of_a_waste_counts_twice(void **state)
{
	change(*state, idle(0.5), "[]");
	change(*state, "[]", ended(100, "stopped"));
	/* It was cut off, and idle all the time. */
	change(*state, idle(0.5), "[]");
	assert_string_equal(ASK(*state), "host_idle host @10 @20 -  0.5 0.5 node-1 -\n");
	change(*state, "[]", ended(100, "used"));
	change(*state, idle_since(40, 0.5), "[]");
	assert_string_equal(ASK(*state), "host_idle host @40 @50 -  0.5 0.5 node-1 -\n"
					 "host_idle host @10 @20 @40 replaced 0.5 0.5 node-1 -\n");
}

static void send_samples(struct lake *lake, uint64_t sequence, int begin_s, int end_s)
{
	Signal__HostSample *sample;
	struct error err = { "" };
	struct made made;
	bool more;

	made_init(&made, sequence);
	sample = made_add(&made, "host_samples");
	sample->since_at = T0 + begin_s * S;
	sample->until_at = T0 + end_s * S;
	lake_store(lake, &made);
	assert_int_equal(store_roll_up(lake->store, &more, &err), 0);
}

static void host_that_is_up_again_is_known(void **state)
{
	change(*state, idle(0.5), "[]");
	change(*state, "[]", ended(100, "stopped"));
	send_samples(*state, 1, 10, 130); /* until it was down */
	assert_string_equal(ASK(*state), "host_idle host @10 @20 @100 stopped 0.5 0.5 node-1 -\n");
	send_samples(*state, 2, 300, 310);
	assert_string_equal(ASK(*state),
			    "host_idle host @10 @20 @100 stopped 0.5 0.5 node-1 @300\n");
}

static void host_that_was_only_cut_off_was_never_stopped(void **state)
{
	change(*state, idle(0.5), "[]");
	change(*state, "[]", ended(100, "stopped"));
	send_samples(*state, 1, 10, 100);
	send_samples(*state, 2, 100, 1200);
	assert_string_equal(ASK(*state),
			    "host_idle host @10 @20 @100 stopped 0.5 0.5 node-1 @100\n");
}

static void change_that_fails_stores_nothing(void **state)
{
	const struct store_param params[] = {
		{ .name = "found", .type = STORE_TEXT, .text = idle(0.5) },
		{ .name = "ended", .type = STORE_TEXT, .text = "no list" }
	};
	struct error err = { "" };

	assert_int_not_equal(
		store_change(((struct lake *)*state)->store, "wastes", params, 2, &err), 0);
	assert_string_equal(ASK(*state), "");
	assert_int_equal(store_change(((struct lake *)*state)->store, "none", params, 2, &err),
			 -ENOENT);
}

static void forget(struct lake *lake, struct upkeep_subject subject)
{
	struct upkeep_counts counts;
	struct error err = { "" };

	if (upkeep_forget(lake->store, &subject, false, &counts, &err))
		fail_msg("%s", error_text(&err));
}

static void who_is_forgotten_is_in_no_words_about_others(void **state)
{
	change(*state, idle(0.5), "[]");
	forget(*state, (struct upkeep_subject){ .user = "bob" });
	forget(*state, (struct upkeep_subject){ .user = "ad" }); /* another one */
	assert_string_equal(ASK(*state), "host_idle host @10 @20 -  0.5 0.5 node-1 -\n");
	forget(*state, (struct upkeep_subject){ .user = "ada" });
	assert_string_equal(ASK(*state), "");
	change(*state, idle(0.5), "[]");
	forget(*state, (struct upkeep_subject){ .host = "host" });
	assert_string_equal(ASK(*state), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_found_again_is_one_row_with_its_last_price,
						lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(
			what_ends_stays_with_its_outcome_and_a_later_one_is_another, lake_setup,
			lake_teardown),
		cmocka_unit_test_setup_teardown(no_time_of_a_waste_counts_twice, lake_setup,
						lake_teardown),
		cmocka_unit_test_setup_teardown(host_that_is_up_again_is_known, lake_setup,
						lake_teardown),
		cmocka_unit_test_setup_teardown(host_that_was_only_cut_off_was_never_stopped,
						lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(change_that_fails_stores_nothing, lake_setup,
						lake_teardown),
		cmocka_unit_test_setup_teardown(who_is_forgotten_is_in_no_words_about_others,
						lake_setup, lake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
