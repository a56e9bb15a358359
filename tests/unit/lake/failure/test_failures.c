/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* What the analysis of failures asks: which tasks, processes, events and files it gets. */

#define TASKS     "run_ids=[\"run\"] limit=3000"
#define PROCESSES "run_ids=[\"run\"] limit=100 offset=0"

static char *text(const char *literal)
{
	return (char *)(uintptr_t)literal;
}

static Signal__Task *task(struct made *made, const char *id, const char *status, double begin)
{
	Signal__Task *added = made_task(made, id, "ALIGN", begin, begin + 1);

	added->run_id = "run";
	added->name = "ALIGN (A)";
	added->status = text(status);
	return added;
}

static Signal__Execution *failed(struct made *made, uint32_t pid, const char *of, int code)
{
	Signal__Execution *added = made_execution(made, pid, of, "bwa", 2, 3);

	added->status = "failed";
	added->exit_code = code;
	return added;
}

static void begin(struct made *made)
{
	made_init(made, 1);
	made_run(made, "run", 1, 9)->status = "failed";
}

static void
tasks_that_failed_or_have_a_failed_process_are_known_with_their_next_attempts(void **state)
{
	struct made made;

	begin(&made);
	task(&made, "first", "failed", 2)->attempt = 1;
	task(&made, "second", "failed", 4)->attempt = 2;
	task(&made, "third", "succeeded", 6)->attempt = 3;
	task(&made, "other", "succeeded", 7)->name = "ALIGN (B)";
	failed(&made, 5, "other", 1);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "failure_tasks", TASKS,
				       "id status attempt later_id later_attempts later_succeeded"),
			    "first failed 1 third 2 1\nsecond failed 2 third 1 1\n"
			    "other succeeded 0 - 0 0\n");
	assert_string_equal(lake_query(*state, "failure_run", "run_ids=[\"run\"]",
				       "status tasks tasks_failed processes_failed last_task_id"),
			    "failed 4 2 1 other\n");
}

static void a_task_that_was_lost_after_its_cloud_took_the_host_away_says_so(void **state)
{
	struct made made;
	Signal__Event *event;

	begin(&made);
	task(&made, "taken", "lost", 2);
	task(&made, "lost", "lost", 2);
	task(&made, "in time", "succeeded", 2);
	event = made_add(&made, "events");
	event->kind = "spot_interruption";
	event->run_id = "run";
	event->task_id = "taken";
	event->detail = "terminate at 2026-01-01T00:00:09Z";
	event->happened_at = T0 + 3 * S;
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "failure_tasks", TASKS, "id host_gone notice"),
			    "lost - -\ntaken 1 terminate at 2026-01-01T00:00:09Z\n");
}

static void a_process_is_its_last_image_since_the_begin_of_its_first(void **state)
{
	static char *arguments[] = { "bwa", "mem", "" };
	Signal__Execution *image;
	struct made made;

	begin(&made);
	task(&made, "one", "failed", 2);
	task(&made, "fine", "succeeded", 2)->name = "ALIGN (C)";
	made_execution(&made, 1, "", "nextflow", 1, 9)->image_seq = 1;
	image = made_execution(&made, 2, "", "jspawnhelper", 1.5, 2);
	image->status = "replaced";
	image->image_seq = 1;
	image->pipe_out = 77;
	image = failed(&made, 2, "one", 3);
	image->start_ns = 2000;
	image->image_seq = 2;
	image->argv = arguments;
	image->n_argv = 3;
	made_execution(&made, 3, "fine", "bwa", 2, 3);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "failure_processes", PROCESSES,
				       "pid tool status exit_code task_id pipe_out argv"),
			    "2 bwa failed 3 one 77 bwa\x1fmem\x1f\x1f\n"
			    "1 nextflow succeeded 0  0 \n");
}

static void the_last_files_that_it_could_not_open_are_known(void **state)
{
	struct made made;

	begin(&made);
	failed(&made, 5, "", 1);
	for (uint32_t i = 0; i < 40; i++) {
		Signal__Event *event = made_add(&made, "events");

		event->kind = "open_failed";
		event->run_id = "run";
		event->pid = 5;
		event->start_ns = 5000;
		event->code = 2;
		event->path = i == 39 ? "/data/last" : i == 8 ? "/data/first" : "/data/some";
		event->happened_at = T0 + (2 * S) + (i * 1000);
	}
	lake_store(*state, &made);
	const char *rows =
		lake_query(*state, "failure_opens", "run_ids=[\"run\"] limit=100", "error path");
	assert_true(strncmp(rows, "2 /data/first\n", 14) == 0);
	assert_string_equal(rows + strlen(rows) - 13, "2 /data/last\n");
	assert_int_equal(strlen(rows), 14 + (30 * 13) + 13);
}

static void an_oom_kill_names_the_container_of_the_cgroup(void **state)
{
	Signal__Container *container;
	Signal__Event *event;
	struct made made;

	begin(&made);
	container = made_add(&made, "containers");
	container->cgroup_id = 4;
	container->path = "/docker/4711";
	container->container_id = "4711";
	container->name = "salmon";
	event = made_add(&made, "events");
	event->kind = "oom_kill";
	event->run_id = "run";
	event->path = "/docker/4711";
	event->happened_at = T0 + (2 * S);
	event = made_add(&made, "events");
	event->kind = "stall_begin";
	event->run_id = "run";
	event->happened_at = T0 + (2 * S);
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "failure_events", "run_ids=[\"run\"] limit=10",
				       "kind path container"),
			    "oom_kill /docker/4711 salmon\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			tasks_that_failed_or_have_a_failed_process_are_known_with_their_next_attempts,
			lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(
			a_task_that_was_lost_after_its_cloud_took_the_host_away_says_so, lake_setup,
			lake_teardown),
		cmocka_unit_test_setup_teardown(
			a_process_is_its_last_image_since_the_begin_of_its_first, lake_setup,
			lake_teardown),
		cmocka_unit_test_setup_teardown(the_last_files_that_it_could_not_open_are_known,
						lake_setup, lake_teardown),
		cmocka_unit_test_setup_teardown(an_oom_kill_names_the_container_of_the_cgroup,
						lake_setup, lake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
