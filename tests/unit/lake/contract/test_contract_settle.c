/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "contract.h"
#include "base/buffer.h"
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
	assert_int_equal(settle(lake, "series"), -ENOENT);
	assert_int_equal(settle(lake, "everything"), -EINVAL);
	assert_int_equal(state(lake), 0);
	assert_int_equal(settle(lake, "sums"), 0);
	assert_int_equal(settle(lake, "sums"), -EEXIST);
	assert_int_equal(settle(lake, "series"), 0);
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
	assert_string_equal(
		lake_query(lake, "settle_due", "quiet_s=30 since_at=@0 limit=9", "run_id settled"),
		"run 0\n");
	assert_int_equal(settle(lake, "sums"), 0);
	assert_string_equal(
		lake_query(lake, "settle_due", "quiet_s=30 since_at=@0 limit=9", "run_id settled"),
		"");
	assert_int_equal(store_unsettle(lake->store, "run", NULL), 0);
	assert_string_equal(
		lake_query(lake, "settle_due", "quiet_s=30 since_at=@0 limit=9", "run_id settled"),
		"run 0\n");
}

/* What pages show of a run. */
static void ask_all(struct lake *lake, const char *run, struct buffer *out)
{
	static const struct {
		const char *query, *params, *columns;
	} ASKED[] = {
		{ "run", "", "id user_ns executions tasks coverage work_ns file_bytes" },
		{ "shares", "", "of_tasks executions user_ns" },
		{ "steps", "", "name tasks executions user_ns" },
		{ "tools", "all=true", "name user_ns failed" },
		{ "tools", "all=false", "name user_ns failed" },
		{ "tasks", "step= status= cursor= limit=9",
		  "id step user_ns tools memory_peak_bytes" },
		{ "dataflow_tasks", "limit=100001", "id started_at" },
		{ "run_span", "", "started_at ended_at" },
		{ "wall_stamp", "", "open stamp" },
		{ "run_stamps", "limit=1", "id open stamp" },
	};

	buffer_init(out, 0);
	for (size_t i = 0; i < sizeof(ASKED) / sizeof(ASKED[0]); i++) {
		char params[96];

		snprintf(params, sizeof(params), "run=%s %s", run, ASKED[i].params);
		buffer_append_text(out, lake_query(lake, ASKED[i].query, params, ASKED[i].columns));
	}
}

static const char *const TOGETHER[] = { "first", "second" };

static void store_together(struct lake *lake)
{
	struct made made;

	made_init(&made, 1);
	for (size_t i = 0; i < 2; i++) {
		const char *run = TOGETHER[i], *task = i ? "b" : "a";
		Signal__Execution *execution;

		made_run(&made, run, 0, 10);
		made_task(&made, task, "map", 1, 5)->run_id = (char *)(uintptr_t)run;
		execution = made_execution(&made, (uint32_t)(i + 1), task, "bwa", 1, 5);
		execution->run_id = (char *)(uintptr_t)run;
		execution->figures->user_ns = 7 + i;
		execution->figures->threads_ns = 9 + i;
		execution = made_execution(&made, (uint32_t)(i + 3), "", i ? "sh" : "bwa", 2, 3);
		execution->run_id = (char *)(uintptr_t)run;
	}
	lake_store(lake, &made);
}

static void runs_that_are_settled_together_answer_as_before(void **state)
{
	struct lake *lake = *state;
	struct buffer want[2], have;
	bool done = false;

	store_together(lake);
	for (size_t i = 0; i < 2; i++)
		ask_all(lake, TOGETHER[i], &want[i]);
	assert_int_equal(store_settle_runs(lake->store, TOGETHER, 2, "sums", &done, NULL), 0);
	assert_true(done);
	for (size_t i = 0; i < 2; i++) {
		ask_all(lake, TOGETHER[i], &have);
		assert_string_equal(have.data, want[i].data);
		buffer_clear(&have);
		buffer_clear(&want[i]);
	}
	assert_int_equal(store_unsettle(lake->store, "second", NULL), 0);
	assert_int_equal(store_settle_runs(lake->store, TOGETHER, 2, "sums", &done, NULL), -EEXIST);
	assert_int_equal(store_settle_runs(lake->store, TOGETHER, 2, "series", &done, NULL), 0);
}

static void what_was_not_completed_is_due_when_the_server_began_later(void **state_)
{
	struct lake *lake = *state_;
	struct store_run_state run;

	store_run(lake, 1);
	assert_int_equal(settle(lake, "sums"), 0);
	assert_string_equal(lake_query(lake, "settle_due",
				       "quiet_s=30 since_at=@2000000000 limit=9",
				       "run_id settled executions"),
			    "run 1 1\n");
	store_run_state(lake->store, "run", &run);
	assert_int_equal(keep(lake, run.settled, "{}"), 0);
	assert_string_equal(lake_query(lake, "settle_due",
				       "quiet_s=30 since_at=@2000000000 limit=9", "run_id settled"),
			    "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONTRACT_TEST(the_sums_are_the_first_part_and_stored_once),
		CONTRACT_TEST(a_settled_run_is_settled_when_the_store_is_opened_again),
		CONTRACT_TEST(a_document_is_kept_as_long_as_the_run_stays_as_it_was),
		CONTRACT_TEST(runs_that_ended_are_due_until_they_are_settled),
		CONTRACT_TEST(runs_that_are_settled_together_answer_as_before),
		CONTRACT_TEST(what_was_not_completed_is_due_when_the_server_began_later),
	};

	return CONTRACT_RUN(tests, NULL, NULL);
}
