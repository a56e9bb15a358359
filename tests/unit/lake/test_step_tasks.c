/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "lake/store/settle/store_settle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What the history of a step holds of the attempts of its tasks. */

#define MB INT64_C(1000000)

static void add_file(struct made *made, uint32_t pid, const char *task, uint64_t file, bool writes,
		     uint64_t moved, uint64_t size)
{
	Signal__File *use = made_add(made, "files");

	use->pid = pid;
	use->start_ns = pid;
	use->run_id = "run";
	use->task_id = (char *)task;
	use->file_id = file;
	use->kind = "file";
	use->path = "/data/x";
	use->reads = !writes;
	use->writes = writes;
	use->moved_bytes = moved;
	use->size_bytes = size;
	use->opens = 1;
	use->first_at = use->last_at = T0 + S;
}

static void add_group(struct made *made, uint64_t cgroup, const char *runtime)
{
	Signal__Container *container = made_add(made, "containers");

	container->cgroup_id = cgroup;
	container->path = "/group";
	container->runtime = (char *)runtime;
	container->started_at = T0;
}

static Signal__ContainerSample *add_group_sample(struct made *made, uint64_t cgroup, uint64_t peak,
						 uint64_t unreclaimable)
{
	Signal__ContainerSample *sample = made_add(made, "container_samples");

	sample->cgroup_id = cgroup;
	sample->since_at = T0 + S;
	sample->until_at = T0 + 5 * S;
	sample->memory_peak_bytes = peak;
	sample->memory_unreclaimable_bytes = unreclaimable;
	return sample;
}

static void add_execution(struct made *made, uint32_t pid, const char *task, int64_t peak_bytes)
{
	Signal__Execution *execution = made_execution(made, pid, task, "sort", 0, 10);

	execution->version = "9.1";
	execution->tool_kind = "tool";
	made_figures(&execution->figures)->rss_peak_bytes = (uint64_t)peak_bytes;
}

static void inputs_are_the_files_that_a_task_read_and_did_not_write(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	made_task(&made, "a", "sort", 0, 10);
	add_execution(&made, 7, "a", 100 * MB);
	add_file(&made, 7, "a", 1, false, 60, 100); /* read to 60 of 100, by two programs */
	add_file(&made, 7, "a", 1, false, 30, 100);
	add_file(&made, 7, "a", 2, false, 500, 50); /* read several times: not more than it is */
	add_file(&made, 7, "a", 3, true, 70, 70);
	add_file(&made, 7, "a", 3, false, 70, 70); /* its own output, read again */
	lake_store(lake, &made);
	assert_string_equal(
		lake_query(lake, "step_tasks", "run=run step= limit=10",
			   "id step status input_bytes read_bytes output_bytes versions"),
		"a sort succeeded 150 140 70 sort 9.1\n");
}

static void with_files_that_are_not_known_the_input_is_not_known(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	made_task(&made, "a", "sort", 0, 10);
	add_execution(&made, 7, "a", 100 * MB);
	add_file(&made, 7, "a", 1, false, 100, 100);
	add_file(&made, 7, "a", 2, false, 100, 0);
	((Signal__File *)made.batch.files[1])->kind = "more";
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "step_tasks", "run=run step= limit=10",
				       "id input_bytes read_bytes output_bytes"),
			    "a - - -\n");
}

/* Each case: the sum of the processes' peaks, the cgroup's peak, the most that it could not
 * reclaim, and what a limit must leave room for; in MB. */
static void a_limit_is_charged_with_what_cannot_be_reclaimed(void **state)
{
	static const struct {
		const char *what;
		int64_t processes, peak, held, charged;
	} CASES[] = {
		{ "no cgroup of its own", 300, 0, 0, 300 },
		{ "page cache is not charged", 300, 2000, 310, 310 },
		{ "tmpfs is in no process, and is charged", 300, 1000, 990, 990 },
		{ "processes share memory", 900, 500, 400, 500 },
		{ "a short peak lies between two readings", 700, 2000, 310, 700 },
	};
	struct lake *lake = *state;
	char expected[256] = "";
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		static char ids[8][8];
		Signal__Task *task;

		(void)snprintf(ids[i], sizeof(ids[i]), "t%zu", i);
		task = made_task(&made, ids[i], "sort", 0, 10);
		task->cgroup_id = CASES[i].peak ? 100 + i : 0;
		add_execution(&made, (uint32_t)(10 + i), ids[i], CASES[i].processes * MB);
		if (CASES[i].peak)
			add_group(&made, 100 + i, "docker");
		if (CASES[i].peak)
			add_group_sample(&made, 100 + i, (uint64_t)(CASES[i].peak * MB),
					 (uint64_t)(CASES[i].held * MB));
		(void)snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			       "t%zu %lld\n", i, (long long)(CASES[i].charged * MB));
	}
	lake_store(lake, &made);
	assert_string_equal(
		lake_query(lake, "step_tasks", "run=run step= limit=10", "id memory_charged_bytes"),
		expected);
}

/* Two tasks of 300 and 200 MB, in the control groups of these numbers, each with a runtime and a
 * peak of 900 MB: whether the figures of their processes are what counts. */
static void assert_processes_count(struct lake *lake, const uint64_t cgroups[2],
				   const char *const runtimes[2])
{
	static char *const IDS[] = { "a", "b" };
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	for (uint32_t i = 0; i < 2; i++) {
		made_task(&made, IDS[i], "sort", 0, 10)->cgroup_id = cgroups[i];
		add_execution(&made, 7 + i, IDS[i], (300 - 100 * (int64_t)i) * MB);
		if (i && cgroups[1] == cgroups[0])
			continue;
		add_group(&made, cgroups[i], runtimes[i]);
		add_group_sample(&made, cgroups[i], (uint64_t)(900 * MB), (uint64_t)(800 * MB));
	}
	lake_store(lake, &made);
	assert_string_equal(
		lake_query(lake, "step_tasks", "run=run step= limit=10", "id memory_charged_bytes"),
		"a 300000000\nb 200000000\n");
}

static void a_cgroup_of_several_tasks_says_nothing_about_one(void **state)
{
	assert_processes_count(*state, (const uint64_t[]){ 100, 100 },
			       (const char *const[]){ "docker", "docker" });
}

static void a_session_says_nothing_about_a_task_in_it(void **state)
{
	assert_processes_count(*state, (const uint64_t[]){ 100, 101 },
			       (const char *const[]){ "systemd", "" });
}

static void a_cgroup_with_processes_of_no_task_says_nothing_about_its_task(void **state)
{
	struct lake *lake = *state;
	struct made made;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20);
	made_task(&made, "a", "sort", 0, 10)->cgroup_id = 100;
	add_execution(&made, 7, "a", 300 * MB);
	made_execution(&made, 6, "", "snakemake", 0, 20)->cgroup_id = 100;
	add_group(&made, 100, "docker");
	add_group_sample(&made, 100, (uint64_t)(900 * MB), (uint64_t)(800 * MB));
	lake_store(lake, &made);
	assert_string_equal(
		lake_query(lake, "step_tasks", "run=run step= limit=10", "id memory_charged_bytes"),
		"a 300000000\n");
}

static void figures_of_a_task_without_a_known_process_are_not_known(void **state)
{
	static const char COLUMNS[] = "id user_ns kernel_ns disk_read_bytes net_rx_bytes";
	struct lake *lake = *state;
	struct error err = { 0 };
	struct made made;
	bool done;

	made_init(&made, 1);
	made_run(&made, "run", 0, 20)->pipeline = "demo";
	made_task(&made, "a", "sort", 0, 10);
	made_task(&made, "b", "sort", 0, 10);
	add_execution(&made, 7, "b", 300 * MB);
	lake_store(lake, &made);
	assert_string_equal(lake_query(lake, "step_tasks", "run=run step= limit=10", COLUMNS),
			    "a - - - -\nb 0 0 0 0\n");
	assert_int_equal(store_settle(lake->store, "run", "sums", &done, &err), 0);
	assert_string_equal(lake_query(lake, "step_history",
				       "pipeline=demo step= runs=50 limit=100 except= before= "
				       "owner= labels=",
				       COLUMNS),
			    "a - - - -\nb 0 0 0 0\n");
}

static void a_history_is_of_settled_runs_of_its_pipeline_the_newest_first(void **state)
{
	static const char *const RUNS[] = { "old", "new", "other", "open" };
	static const char *const TASKS[] = { "t-old", "t-new", "t-other", "t-open" };
	struct lake *lake = *state;
	struct error err = { 0 };
	struct made made;
	bool done;

	for (size_t i = 0; i < 4; i++) {
		Signal__Run *run;
		Signal__Task *task;

		made_init(&made, 1 + i);
		run = made_run(&made, RUNS[i], 20.0 * (double)i, 20.0 * (double)i + 15);
		run->pipeline = i == 2 ? "another" : "demo";
		run->user = i == 1 ? "ann" : "bob";
		task = made_task(&made, TASKS[i], "sort", 20.0 * (double)i, 20.0 * (double)i + 10);
		task->run_id = (char *)RUNS[i];
		lake_store(lake, &made);
	}
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(store_settle(lake->store, RUNS[i], "sums", &done, &err), 0);
#define ASK(scope)                                                                       \
	lake_query(lake, "step_history", "pipeline=demo step= runs=50 limit=100 " scope, \
		   "run_id id")
	assert_string_equal(ASK("except= before= owner= labels="), "new t-new\nold t-old\n");
	assert_string_equal(ASK("except=new before= owner= labels="), "old t-old\n");
	assert_string_equal(ASK("except= before=@10 owner= labels="), "old t-old\n");
	assert_string_equal(ASK("except= before= owner=ann labels="), "new t-new\n");
#undef ASK
}

/* What is stored with a run is read by all who may read it: by its owner, or by one of its labels.
 */
static void a_history_for_all_readers_of_a_run_has_their_owner_and_labels(void **state)
{
	static const struct {
		const char *id, *team, *kind;
		uint32_t uid;
	} RUNS[] = {
		{ "one", "x", NULL, 7 },  { "two", "x", "full", 7 }, { "three", NULL, NULL, 7 },
		{ "four", "x", NULL, 8 }, { "five", "y", NULL, 7 },
	};
	struct lake *lake = *state;
	struct error err = { 0 };
	bool done;

	for (size_t i = 0; i < sizeof(RUNS) / sizeof(RUNS[0]); i++) {
		Signal__Label labels[2], *list[2] = { &labels[0], &labels[1] };
		struct made made;
		Signal__Run *run;

		made_init(&made, 1 + i);
		run = made_run(&made, RUNS[i].id, 20.0 * (double)i, 20.0 * (double)i + 15);
		run->pipeline = "demo";
		run->user = "";
		run->uid = RUNS[i].uid;
		signal__label__init(&labels[0]);
		signal__label__init(&labels[1]);
		labels[0].key = "team";
		labels[0].value = (char *)RUNS[i].team;
		labels[1].key = "kind";
		labels[1].value = (char *)RUNS[i].kind;
		run->labels = list;
		run->n_labels = RUNS[i].kind ? 2 : RUNS[i].team ? 1 : 0;
		made_task(&made, RUNS[i].id, "sort", 20.0 * (double)i, 20.0 * (double)i + 10)
			->run_id = (char *)RUNS[i].id;
		lake_store(lake, &made);
		assert_int_equal(store_settle(lake->store, RUNS[i].id, "sums", &done, &err), 0);
	}
#define ASK(scope)                       \
	lake_query(lake, "step_history", \
		   "pipeline=demo step= runs=50 limit=100 except= before= " scope, "run_id")
	assert_string_equal(ASK("owner=7 labels={\"team\":\"x\"}"), "two\none\n");
	assert_string_equal(ASK("owner=7 labels={}"), "five\nthree\ntwo\none\n");
	assert_string_equal(ASK("owner=8 labels={}"), "four\n");
#undef ASK
	assert_string_equal(lake_query(lake, "run_head", "run=two", "owner"), "7\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, lake_setup, lake_teardown)
	const struct CMUnitTest tests[] = {
		TEST(inputs_are_the_files_that_a_task_read_and_did_not_write),
		TEST(with_files_that_are_not_known_the_input_is_not_known),
		TEST(a_limit_is_charged_with_what_cannot_be_reclaimed),
		TEST(a_cgroup_of_several_tasks_says_nothing_about_one),
		TEST(a_session_says_nothing_about_a_task_in_it),
		TEST(a_cgroup_with_processes_of_no_task_says_nothing_about_its_task),
		TEST(figures_of_a_task_without_a_known_process_are_not_known),
		TEST(a_history_is_of_settled_runs_of_its_pipeline_the_newest_first),
		TEST(a_history_for_all_readers_of_a_run_has_their_owner_and_labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
