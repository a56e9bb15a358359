/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract.h"
#include "lake/store/settle/store_settle.h"

/* Settled runs (lake/store/settle/store_settle.h): what is stored of them, and until when. */

#define DOCUMENT "run=run kind=findings maker=me"

static void store_run(struct lake *lake, uint64_t sequence)
{
	struct made made;

	made_init(&made, sequence);
	made_run(&made, "run", 0, 10);
	made_task(&made, "a", "map", 1, 5);
	made_execution(&made, (uint32_t)sequence, "a", "bwa", 1, 5)->figures->user_ns = 7;
	lake_store(lake, &made);
}

static int settle(struct lake *lake, const char *part)
{
	bool done = false;
	int rc = store_settle(lake->store, "run", part, &done, NULL);

	assert_int_equal(done, rc == 0);
	return rc;
}

static uint64_t state(struct lake *lake)
{
	struct store_run_state run;

	store_run_state(lake->store, "run", &run);
	return run.settled;
}

static void the_sums_are_the_first_part_and_stored_once(void **state_)
{
	struct lake *lake = *state_;

	store_run(lake, 1);
	assert_int_equal(settle(lake, "series_run"), -ENOENT);
	assert_int_equal(settle(lake, "everything"), -EINVAL);
	assert_int_equal(state(lake), 0);
	assert_int_equal(settle(lake, "sums"), 0);
	assert_int_equal(settle(lake, "sums"), -EEXIST);
	assert_int_equal(settle(lake, "series_run"), 0);
	assert_int_not_equal(state(lake), 0);
}

static void a_settled_run_is_settled_when_the_store_is_opened_again(void **state_)
{
	struct lake *lake = *state_;

	store_run(lake, 1);
	assert_int_equal(settle(lake, "sums"), 0);
	lake_close(lake);
	lake_open(lake);
	assert_int_not_equal(state(lake), 0);
	assert_string_equal(lake_query(lake, "run", "run=run", "user_ns executions"), "7 1\n");
	store_run(lake, 2);
	assert_int_equal(state(lake), 0);
	assert_string_equal(lake_query(lake, "run", "run=run", "user_ns executions"), "14 2\n");
}

static int keep(struct lake *lake, uint64_t settled, const char *text)
{
	return store_keep(lake->store, "run", settled, "findings", "me", text, NULL);
}

static void a_document_is_kept_as_long_as_the_run_stays_as_it_was(void **state_)
{
	struct lake *lake = *state_;
	uint64_t first;

	store_run(lake, 1);
	assert_int_equal(keep(lake, state(lake), "{}"), -ESTALE);
	assert_int_equal(settle(lake, "sums"), 0);
	first = state(lake);
	assert_int_equal(keep(lake, first, "[1]"), 0);
	assert_int_equal(keep(lake, first, "[2]"), 0);
	assert_string_equal(lake_query(lake, "settled_document", DOCUMENT, "text"), "[2]\n");
	store_run(lake, 2);
	assert_string_equal(lake_query(lake, "settled_document", DOCUMENT, "text"), "");
	assert_int_equal(settle(lake, "sums"), 0);
	assert_int_equal(keep(lake, first, "[1]"), -ESTALE); /* made of what was there before */
	assert_string_equal(lake_query(lake, "settled_document", DOCUMENT, "text"), "");
}

static void runs_that_ended_are_due_until_they_are_settled(void **state_)
{
	struct lake *lake = *state_;
	struct made made;

	store_run(lake, 1);
	made_init(&made, 2);
	made_run(&made, "runs", 0, -1);
	made_run(&made, "busy", 0, 9);
	made_execution(&made, 9, "", "bwa", 1, -1)->run_id = "busy";
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "settle_due", "quiet_s=30 limit=9", "run_id settled"),
			    "run 0\n");
	assert_int_equal(settle(lake, "sums"), 0);
	assert_string_equal(lake_query(lake, "settle_due", "quiet_s=30 limit=9", "run_id settled"),
			    "");
	assert_int_equal(store_unsettle(lake->store, "run", NULL), 0);
	assert_string_equal(lake_query(lake, "settle_due", "quiet_s=30 limit=9", "run_id settled"),
			    "run 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONTRACT_TEST(the_sums_are_the_first_part_and_stored_once),
		CONTRACT_TEST(a_settled_run_is_settled_when_the_store_is_opened_again),
		CONTRACT_TEST(a_document_is_kept_as_long_as_the_run_stays_as_it_was),
		CONTRACT_TEST(runs_that_ended_are_due_until_they_are_settled),
	};

	return CONTRACT_RUN(tests, NULL, NULL);
}
