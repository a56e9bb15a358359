/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"

/* The figures at the head of a run: what its tasks took and what its engine took, how much of it at
 * work, and what of it is storage's, files', calls'. */

static Signal__Figures *work(struct made *made, uint32_t pid, const char *task, const char *tool)
{
	return made_figures(&made_execution(made, pid, task, tool, 1, 9)->figures);
}

static void move(struct made *made, const char *kind, uint64_t id, uint64_t bytes)
{
	Signal__File *file = made_add(made, "files");

	file->pid = 11;
	file->start_ns = made->batch.executions[0]->start_ns;
	file->image_seq = made->batch.executions[0]->image_seq;
	file->run_id = "run";
	file->task_id = "a";
	file->file_id = id;
	file->kind = (char *)(uintptr_t)kind;
	file->opens = 1;
	file->moved_bytes = bytes;
	file->first_at = file->last_at = T0 + S;
}

static void put_tasks(struct made *made)
{
	Signal__Figures *figures = work(made, 11, "a", "bwa");

	figures->user_ns = 60;
	figures->pipe_read_ns = 40;
	figures->child_ns = 500;
	figures->threads_ns = 600;
	figures->disk_read_bytes = 18;
	figures->read_chars_bytes = 949;
	figures = work(made, 12, "b", "watch");
	figures->user_ns = 1;
	figures->sleep_ns = 9;
	figures->threads_ns = 20; /* half of it is not explained */
	made_task(made, "a", "align", 1, 9);
	made_task(made, "b", "watch", 1, 9)->status = "failed";
}

static void put_engine(struct made *made)
{
	Signal__Figures *figures = work(made, 10, "", "snakemake");

	figures->user_ns = 20;
	figures->poll_ns = 4;
	figures->child_ns = 370;
	figures->threads_ns = 394;
	figures->read_chars_bytes = 1;
}

static void put_event(struct made *made, const char *run, const char *task, const char *kind)
{
	Signal__Event *event = made_add(made, "events");

	event->run_id = (char *)(uintptr_t)run;
	event->task_id = (char *)(uintptr_t)task;
	event->kind = (char *)(uintptr_t)kind;
	event->happened_at = T0 + (int64_t)made->batch.n_events * S;
}

static int setup(void **state)
{
	static struct lake lake;
	struct made made;

	lake_make(&lake);
	made_init(&made, 1);
	made_run(&made, "run", 0, 10);
	put_tasks(&made);
	put_engine(&made);
	move(&made, "file", 300, 100);
	move(&made, "file", 301, 7);
	move(&made, "system", 2, 20);
	move(&made, "more", 9, 3);
	move(&made, "pipe", 4, 16000);
	move(&made, "socket", 5, 32000);
	move(&made, "pseudo", 3, 4000);
	move(&made, "device", 7, 8000);
	put_event(&made, "run", "a", "exit_failed");
	put_event(&made, "run", "b", "exit_failed");
	put_event(&made, "run", "", "exec_failed");
	put_event(&made, "run", "a", "oom_kill");
	made_run(&made, "broken", 20, 30)->status = "failed";
	put_event(&made, "broken", "", "exit_failed");
	lake_store(&lake, &made);
	*state = &lake;
	return 0;
}

static void tasks_and_engine_together_are_the_run(void **state)
{
	assert_string_equal(
		lake_query(*state, "shares", "run=run",
			   "of_tasks executions user_ns child_ns threads_ns read_chars_bytes"),
		"1 2 61 500 620 949\n0 1 20 370 394 1\n");
	assert_string_equal(lake_query(*state, "run", "run=run",
				       "executions user_ns child_ns threads_ns read_chars_bytes"),
			    "3 81 870 1014 950\n");
	assert_string_equal(lake_query(*state, "shares", "run=broken", "of_tasks"), "");
}

static void time_at_work_is_told_once_for_all(void **state)
{
	/* Neither children nor sleep; what is not explained only where it is much. */
	assert_string_equal(lake_query(*state, "shares", "run=run", "work_ns"), "101\n24\n");
	assert_string_equal(lake_query(*state, "tools", "run=run all=true", "name work_ns"),
			    "bwa 100\nsnakemake 24\nwatch 11\n");
	assert_string_equal(lake_query(*state, "steps", "run=run", "name work_ns"),
			    "align 100\nwatch 11\n");
	assert_string_equal(lake_query(*state, "run", "run=run", "work_ns"), "125\n");
	assert_string_equal(lake_query(*state, "run", "run=broken", "work_ns"), "-\n");
}

static void storage_files_and_calls_are_figures_of_their_own(void **state)
{
	assert_string_equal(
		lake_query(*state, "run", "run=run", "disk_read_bytes file_bytes read_chars_bytes"),
		"18 130 950\n");
	assert_string_equal(lake_query(*state, "run", "run=broken", "file_bytes"), "-\n");
}

static void events_are_in_the_order_of_their_time(void **state)
{
	assert_string_equal(lake_query(*state, "events", "run=run limit=9", "kind task_id"),
			    "exit_failed a\nexit_failed b\nexec_failed -\noom_kill a\n");
	assert_string_equal(lake_query(*state, "events", "run=run limit=2", "kind task_id"),
			    "exit_failed a\nexit_failed b\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_and_engine_together_are_the_run),
		cmocka_unit_test(time_at_work_is_told_once_for_all),
		cmocka_unit_test(storage_files_and_calls_are_figures_of_their_own),
		cmocka_unit_test(events_are_in_the_order_of_their_time),
	};

	return cmocka_run_group_tests(tests, setup, lake_teardown);
}
