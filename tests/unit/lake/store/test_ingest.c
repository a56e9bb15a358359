/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define PROCESSES "run=run task= tool= status= limit=10 cursor="

static int refused(struct lake *lake, struct made *made, struct error *err)
{
	bool duplicate;
	int rc = store_ingest(lake->store, &made->batch, &duplicate, err);

	made_clear(made);
	return rc;
}

static void a_batch_that_comes_twice_is_stored_once(void **state)
{
	struct lake *lake = *state;
	struct error err = { 0 };
	bool duplicate = false;
	struct made made;

	made_init(&made, 7);
	made_run(&made, "run", 0, 5);
	made_execution(&made, 10, "", "bwa", 0, 5)->figures->user_ns = 3;
	made_sample(&made, 10, "", 0, 1)->figures->user_ns = 1;
	made_add(&made, "events");
	assert_int_equal(store_ingest(lake->store, &made.batch, &duplicate, &err), 0);
	assert_false(duplicate);
	assert_int_equal(store_ingest(lake->store, &made.batch, &duplicate, &err), 0);
	assert_true(duplicate);
	made_clear(&made);
	assert_string_equal(
		lake_query(lake, "metrics", "", "runs executions samples events batches"),
		"1 1 1 1 1\n");
}

static void a_batch_is_known_again_after_the_store_was_opened_anew(void **state)
{
	struct lake *lake = *state;
	bool duplicate = false;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 5);
	assert_int_equal(store_ingest(lake->store, &made.batch, &duplicate, NULL), 0);
	lake_close(lake);
	lake_open(lake);
	assert_int_equal(store_ingest(lake->store, &made.batch, &duplicate, NULL), 0);
	assert_true(duplicate);
	made_clear(&made);
}

static void another_agent_or_boot_may_use_the_same_sequence(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	lake_store(lake, &made);
	made_init(&made, 1);
	made.batch.boot_id = "another boot";
	lake_store(lake, &made);
	made_init(&made, 1);
	made.batch.agent_id = "another agent";
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "metrics", "", "batches"), "3\n");
}

static void of_records_with_one_key_the_last_of_a_batch_stands(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1)->name = "first";
	made_run(&made, "other", 0, -1)->name = "other";
	made_run(&made, "run", 0, 9)->name = "second";
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "run", "run=run", "name status wall_s"),
			    "second succeeded 9\n");
	assert_string_equal(lake_query(lake, "metrics", "", "runs"), "2\n");
}

static void a_later_record_replaces_an_earlier_one_whole(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_execution(&made, 10, "", "bwa", 1, -1)->figures->user_ns = 1;
	lake_store(lake, &made);
	made_init(&made, 2);
	made_execution(&made, 10, "t", "bwa mem", 1, 4)->figures->user_ns = 2;
	lake_store(lake, &made);
	assert_string_equal(
		lake_query(lake, "processes", PROCESSES, "pid task_id tool status wall_s user_ns"),
		"10 t bwa mem succeeded 3 2\n");
}

static void a_late_older_record_never_replaces_a_newer_one(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 5);
	made_execution(&made, 10, "", "new", 1, 4);
	lake_store(lake, &made);
	made_init(&made, 4);
	made.batch.created_at = T0 + 100 * S; /* the clock was set back in between */
	made_execution(&made, 10, "", "old", 1, -1);
	made_execution(&made, 11, "", "other", 2, 3);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "processes", PROCESSES, "pid tool status"),
			    "10 new succeeded\n11 other succeeded\n");
}

static void between_boots_the_clock_decides_which_is_newer(void **state)
{
	struct lake *lake = *state;
	Signal__Host *host;
	struct made made;

	made_init(&made, 50);
	host = made_add(&made, "hosts");
	host->hostname = "before";
	lake_store(lake, &made);
	made_init(&made, 1);
	made.batch.boot_id = "next boot";
	made.batch.created_at = T0 + 60 * S;
	host = made_add(&made, "hosts");
	host->hostname = "after";
	lake_store(lake, &made);
	made_init(&made, 51);
	host = made_add(&made, "hosts");
	host->hostname = "straggler";
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "hosts", "host=", "hostname"), "after\n");
}

static void the_same_pid_on_another_host_is_another_process(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_execution(&made, 10, "", "here", 0, 1);
	lake_store(lake, &made);
	made_init(&made, 1);
	made.batch.agent_id = "agent 2";
	made.batch.host_id = "host2";
	made_execution(&made, 10, "", "there", 0, 1);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "processes", PROCESSES, "host_id tool"),
			    "host here\nhost2 there\n");
}

static void arguments_and_labels_come_back_as_they_were(void **state)
{
	static char *argv[] = { "sh", "-c", "echo \"a\nb\"\t\\x \x01 é 日本", "" };
	Signal__Label first = SIGNAL__LABEL__INIT, again = SIGNAL__LABEL__INIT;
	Signal__Label *labels[] = { &first, &again };
	struct lake *lake = *state;
	Signal__Execution *execution;
	Signal__Run *run;
	struct made made;

	first.key = again.key = "pro\"ject";
	first.value = "old";
	again.value = "n\\ew";
	made_init(&made, 1);
	execution = made_execution(&made, 10, "", "sh", 0, 1);
	execution->argv = argv;
	execution->n_argv = 4;
	made_execution(&made, 11, "", "no arguments", 1, 2);
	run = made_run(&made, "run", 0, 1);
	run->labels = labels;
	run->n_labels = 2;
	lake_store(lake, &made);
	assert_string_equal(
		lake_query(lake, "processes", PROCESSES, "argv"),
		"[\"sh\",\"-c\",\"echo \\\"a\\nb\\\"\\t\\\\x \\u0001 é 日本\",\"\"]\n[]\n");
	assert_string_equal(lake_query(lake, "run", "run=run", "labels"),
			    "{\"pro\\\"ject\":\"n\\\\ew\"}\n");
}

static void what_no_store_can_hold_is_refused_with_words(void **state)
{
	struct lake *lake = *state;
	char longest[200];
	struct error err;
	struct made made;

	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	made_init(&made, 1);
	made.batch.host_id = "";
	assert_int_equal(refused(lake, &made, &err), -EPROTO);
	assert_non_null(strstr(error_text(&err), "host_id"));
	made_init(&made, 1);
	made.batch.agent_id = longest;
	assert_int_equal(refused(lake, &made, &err), -EPROTO);
	assert_non_null(strstr(error_text(&err), "199 bytes"));
	made_init(&made, 0);
	assert_int_equal(refused(lake, &made, &err), -EPROTO);
	assert_string_equal(lake_query(lake, "metrics", "", "runs tasks batches"), "0 0 0\n");
}

static void a_record_without_an_id_or_with_a_broken_text_is_kept_out_alone(void **state)
{
	struct lake *lake = *state;
	char longest[200];
	struct made made;

	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	made_init(&made, 1);
	made_run(&made, "", 0, 1);
	made_run(&made, longest, 0, 1);
	made_run(&made, "run", 0, 1);
	made_task(&made, "", "step", 0, 1);
	made_run(&made, "broken", 0, 1)->cwd = "/\xff";
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "metrics", "", "runs tasks batches lost_records"),
			    "1 0 1 4\n");
}

static void a_run_may_have_256_labels_and_no_more(void **state)
{
	static Signal__Label label[257];
	static Signal__Label *labels[257];
	struct lake *lake = *state;
	Signal__Run *run;
	struct made made;

	for (size_t i = 0; i < 257; i++) {
		signal__label__init(&label[i]);
		labels[i] = &label[i];
	}
	made_init(&made, 1);
	run = made_run(&made, "run", 0, 1);
	run->labels = labels;
	run->n_labels = 257;
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "metrics", "", "runs lost_records"), "0 1\n");
	made_init(&made, 2);
	run = made_run(&made, "run", 0, 1);
	run->labels = labels;
	run->n_labels = 256;
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "metrics", "", "runs"), "1\n");
}

static void figures_beyond_reason_are_cut_and_break_no_sum(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 1);
	for (uint32_t pid = 1; pid <= 20; pid++) {
		Signal__Execution *execution = made_execution(&made, pid, "t", "x", 0, 1);

		execution->figures->poll_ns = UINT64_MAX;
		execution->figures->threads_ns = UINT64_MAX;
		execution->figures->disk_read_bytes = UINT64_MAX - pid;
	}
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "run", "run=run", "poll_ns threads_ns"),
			    "9223372036854775807 9223372036854775807\n");
	lake_query(lake, "holds", "since_at= until_at= part= parts=", "cpu_ns");
	lake_query(lake, "samples", "run=run by=run interval_s=1", "poll_ns");
}

static void a_batch_larger_than_a_vector_is_stored_whole(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, -1);
	for (uint32_t pid = 1; pid <= 10000; pid++) {
		made_execution(&made, pid, "t", "x", 0, 1)->figures->user_ns = pid;
		made_sample(&made, pid, "t", 0, 1);
	}
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "run", "run=run", "executions user_ns"),
			    "10000 50005000\n");
	assert_string_equal(lake_query(lake, "metrics", "", "samples"), "10000\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_batch_that_comes_twice_is_stored_once),
		TEST(a_batch_is_known_again_after_the_store_was_opened_anew),
		TEST(another_agent_or_boot_may_use_the_same_sequence),
		TEST(of_records_with_one_key_the_last_of_a_batch_stands),
		TEST(a_later_record_replaces_an_earlier_one_whole),
		TEST(a_late_older_record_never_replaces_a_newer_one),
		TEST(between_boots_the_clock_decides_which_is_newer),
		TEST(the_same_pid_on_another_host_is_another_process),
		TEST(arguments_and_labels_come_back_as_they_were),
		TEST(what_no_store_can_hold_is_refused_with_words),
		TEST(a_record_without_an_id_or_with_a_broken_text_is_kept_out_alone),
		TEST(a_run_may_have_256_labels_and_no_more),
		TEST(figures_beyond_reason_are_cut_and_break_no_sum),
		TEST(a_batch_larger_than_a_vector_is_stored_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
