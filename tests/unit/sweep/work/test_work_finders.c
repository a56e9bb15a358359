/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sweep/finder.h"
#include "sweep/work/work_words.h"

/* What is found of tasks that hang or are left behind, of work that is done again, and of files
 * that no one reads. */
#define S    INT64_C(1000000000)
#define HOUR (3600 * S)
#define DAY  (24 * HOUR)
#define NOW  (1000 * DAY)

static struct sweep_policy policy;
static struct sweep_host host;
static struct sweep_input input;
static struct wastes wastes;

static int setup(void **state)
{
	sweep_policy_init(&policy);
	policy.usd_gb_month = 0.1;
	host = (struct sweep_host){ .id = "h1",
				    .hostname = "node-7",
				    .nusd_hour = 400000000,
				    .up_since = NOW - 30 * DAY,
				    .seen_at = NOW - 2 * S };
	input = (struct sweep_input){
		.now_at = NOW, .policy = &policy, .hosts = &host, .host_count = 1
	};
	return 0;
}

static int teardown(void **state)
{
	wastes_clear(&wastes);
	return 0;
}

/* A task that has been without progress for so many seconds, of a step of which the tasks waited
 * for 10 s at most. */
static struct sweep_task make_task(int64_t silent_s)
{
	return (struct sweep_task){
		.id = "t1",
		.run_id = "r1",
		.host_id = "h1",
		.step = "ALIGN",
		.name = "ALIGN",
		.sample = "s3",
		.user = "ann",
		.engine = "nextflow",
		.run_name = "tiny",
		.run_status = "running",
		.pids = "812 813",
		.pid = 812,
		.started_at = NOW - 5 * HOUR,
		.progress_at = NOW - silent_s * S,
		.known_until = NOW - S,
		.complete = true,
		.wait = "lock",
		.history = 12,
		.wait_max_s = 10,
		.wall_p95_s = 300,
		.nusd_hour = 100000000,
	};
}

static const struct waste *find_one(const struct sweep_task *task)
{
	wastes_clear(&wastes);
	input.tasks = task;
	input.task_count = 1;
	assert_int_equal(sweep_find(&input, &wastes), 0);
	input.tasks = NULL;
	input.task_count = 0;
	assert_in_range(wastes.count, 0, 1);
	return wastes.count ? wastes.items : NULL;
}

static void a_task_without_progress_is_stuck(void **state)
{
	struct sweep_task task = make_task(1000);
	const struct waste *waste = find_one(&task);

	assert_non_null(waste);
	assert_string_equal(waste->kind, "task_stuck");
	assert_string_equal(waste->id, "t1");
	assert_string_equal(waste->name, "ALIGN (s3)");
	assert_string_equal(waste->who, "ann");
	assert_string_equal(waste->command, "kill 812 813");
	assert_int_equal(waste->since_at, task.progress_at);
	assert_int_equal(waste->nusd_hour, 100000000);
	assert_int_equal(waste->confidence, CONFIDENCE_HIGH);
	assert_int_equal(waste->claimed_nusd, 100000000);
	assert_non_null(strstr(waste->summary, "node-7 for 16m 39s"));
	assert_non_null(strstr(waste->summary, "for more than 10.0 s in total (12 of them)"));
	assert_non_null(strstr(waste->evidence, "\"silent_s\":999"));
}

static void a_task_is_not_stuck(void **state)
{
	static const struct {
		const char *why;
		int64_t silent_s, known_s; /* the latter: until when it is known, before now */
		double wait_max_s;
		size_t history;
		bool lossy, gone;
		const char *wait;
	} cases[] = {
		{ "it is quiet for less than the patience", 800, 1, 10, 12, false, false, "lock" },
		{ "tasks of its step waited longer", 1000, 1, 900, 12, false, false, "lock" },
		{ "records were lost", 9000, 1, 10, 12, true, false, "lock" },
		{ "its last samples are old", 9000, 600, 10, 12, false, false, "lock" },
		{ "its step has no history: that takes an hour", 3000, 1, 0, 2, false, false,
		  "lock" },
		{ "it sleeps by its own will, and no one knows for how long it should", 9000, 1, 0,
		  2, false, false, "sleep" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sweep_task task = make_task(cases[i].silent_s);

		print_message("%s\n", cases[i].why);
		task.known_until = NOW - cases[i].known_s * S;
		task.wait_max_s = cases[i].wait_max_s;
		task.history = cases[i].history;
		task.complete = !cases[i].lossy;
		task.wait = cases[i].wait;
		assert_null(find_one(&task));
	}
}

/* Missing data is no silence. */
static void a_host_that_is_not_known_has_no_stuck_tasks(void **state)
{
	struct sweep_task task = make_task(9000);

	host.seen_at = NOW - 600 * S;
	assert_null(find_one(&task));
	task.run_ended_at = NOW - HOUR;
	assert_null(find_one(&task));
}

static void without_a_history_it_is_less_sure(void **state)
{
	struct sweep_task task = make_task(4000);
	const struct waste *waste;

	task.history = 0;
	waste = find_one(&task);
	assert_non_null(waste);
	assert_int_equal(waste->confidence, CONFIDENCE_MEDIUM);
	assert_non_null(strstr(waste->summary, "Its step has no history."));
	task.stall = "cat has done nothing for 5m 00s: it waits for /tmp/fifo.";
	waste = find_one(&task);
	assert_int_equal(waste->confidence, CONFIDENCE_HIGH);
	assert_non_null(strstr(waste->summary, "it waits for /tmp/fifo."));
}

/* What keeps a task is asked to end it; what names hold is one word for a shell. */
static void the_command_ends_what_keeps_the_task(void **state)
{
	static const struct {
		const char *runtime, *job_id, *container, *pids, *command;
	} cases[] = {
		{ "slurm", "4711", "", "812", "scancel 4711" },
		{ "docker", "", "4f0e", "812", "docker stop 4f0e" },
		{ "podman", "", "", "812", "kill 812" },
		{ NULL, NULL, NULL, "812", "kill 812" },
		{ "slurm", "1; rm -r ~", "", "812", "scancel '1; rm -r ~'" },
		{ "", "", "", "812; reboot", "kill 812" }, /* by its pid */
		{ "", "", "", "0 812", "kill 812" },
		{ "", "", "", "1", "kill 812" },
		{ "slurm", "--user=root", "", "812", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sweep_task task = make_task(1000);

		task.runtime = cases[i].runtime;
		task.job_id = cases[i].job_id;
		task.container = cases[i].container;
		task.pids = cases[i].pids;
		if (cases[i].command)
			assert_string_equal(find_one(&task)->command, cases[i].command);
		else
			assert_null(find_one(&task)->command);
	}
}

static void a_task_that_outlives_its_engine_is_found(void **state)
{
	struct sweep_task task = make_task(0);
	const struct waste *waste;

	task.run_status = "killed";
	task.run_ended_at = NOW - 100 * S;
	assert_null(find_one(&task)); /* an engine that ends ends its tasks within seconds */
	task.run_ended_at = NOW - 130 * S;
	waste = find_one(&task);
	assert_non_null(waste);
	assert_string_equal(waste->kind, "engine_gone");
	assert_int_equal(waste->since_at, task.run_ended_at);
	assert_string_equal(waste->command, "kill 812 813");
	assert_non_null(strstr(waste->summary, "tiny (nextflow) ended 2m 10s ago (killed)"));
}

static void what_was_left_on_purpose_is_no_waste(void **state)
{
	struct sweep_task task = make_task(0);

	task.run_ended_at = NOW - HOUR;
	task.run_status = "succeeded";
	assert_null(find_one(&task));
	task.run_status = "killed"; /* the terminal was closed, and nohup kept the work */
	task.engine = "session";
	assert_null(find_one(&task));
	task.engine = "make";
	assert_non_null(find_one(&task));
}

static struct sweep_repeat make_repeat(void)
{
	return (struct sweep_repeat){
		.id = "5e1f",
		.step = "align",
		.tool = "bwa mem",
		.version = "0.7.17",
		.first_run = "monday",
		.first_user = "ann",
		.run_id = "r2",
		.run_name = "tuesday",
		.users = "bob",
		.tasks = 3,
		.inputs = 2,
		.input_bytes = 5u << 20,
		.same_files = true,
		.same_outputs = true,
		.since_at = NOW - 2 * DAY,
		.wasted_nusd = 960000000,
		.wall_s = 900,
		.engine = "snakemake",
		.pipeline = "tiny",
	};
}

static const struct waste *find_repeat(const struct sweep_repeat *repeat)
{
	wastes_clear(&wastes);
	input.repeats = repeat;
	input.repeat_count = 1;
	assert_int_equal(sweep_find(&input, &wastes), 0);
	input.repeats = NULL;
	input.repeat_count = 0;
	return wastes.count ? wastes.items : NULL;
}

static void work_done_again_is_found(void **state)
{
	struct sweep_repeat repeat = make_repeat();
	const struct waste *waste = find_repeat(&repeat);

	assert_string_equal(waste->kind, "work_repeated");
	assert_int_equal(waste->wasted_nusd, 960000000);
	assert_int_equal(waste->nusd_hour, 20000000); /* over two days */
	assert_float_equal(waste->paid_share, 1, 1e-9);
	assert_int_equal(waste->confidence, CONFIDENCE_HIGH);
	assert_string_equal(waste->command,
			    "SNAKEMAKE_OUTPUT_CACHE=/SHARED/FOLDER snakemake --cache align");
	assert_string_equal(
		waste->summary,
		"align ran 3 more times (bob, last in tuesday) after ann had done the same in monday: bwa "
		"mem 0.7.17 with the same arguments, on the very same files (2 files, 5.0 MiB). "
		"Together they took 15m 00s.");
}

static void work_that_differs_or_is_short_is_none(void **state)
{
	struct sweep_repeat repeat = make_repeat();

	repeat.wall_s = 59;
	assert_null(find_repeat(&repeat));
	repeat = make_repeat();
	repeat.inputs = 0; /* `date` does the same each time */
	assert_null(find_repeat(&repeat));
	repeat = make_repeat();
	repeat.same_files = false;
	assert_int_equal(find_repeat(&repeat)->confidence, CONFIDENCE_MEDIUM);
	repeat.rewritten = true;
	assert_int_equal(find_repeat(&repeat)->confidence, CONFIDENCE_LOW);
	repeat.wasted_nusd = -1;
	assert_int_equal(find_repeat(&repeat)->nusd_hour, -1);
	assert_int_equal(find_repeat(&repeat)->wasted_nusd, -1);
}

static struct sweep_folder make_folder(void)
{
	return (struct sweep_folder){
		.host_id = "h1",
		.path = "/data/ann's run/work",
		.user = "ann",
		.run_name = "tiny",
		.files = 7,
		.bytes = 73000000000,
		.written_at = NOW - 4 * DAY,
		.read_at = NOW - 3 * DAY,
		.known_since = NOW - 9 * DAY,
		.scratch = true,
	};
}

static const struct waste *find_folder(const struct sweep_folder *folder)
{
	wastes_clear(&wastes);
	input.folders = folder;
	input.folder_count = 1;
	assert_int_equal(sweep_find(&input, &wastes), 0);
	input.folders = NULL;
	input.folder_count = 0;
	return wastes.count ? wastes.items : NULL;
}

static void a_work_folder_that_no_one_uses_is_found(void **state)
{
	struct sweep_folder folder = make_folder();
	const struct waste *waste = find_folder(&folder);

	assert_string_equal(waste->kind, "files_unread");
	assert_string_equal(waste->command,
			    "rm -r --interactive=once -- '/data/ann'\\''s run/work'");
	assert_int_equal(waste->nusd_hour, 10000000); /* 73 GB at $0.10 for 730 h */
	assert_int_equal(waste->since_at, folder.read_at);
	assert_null(waste->host_id); /* the host's price is not what it costs */
	policy.usd_gb_month = 0;
	assert_int_equal(find_folder(&folder)->nusd_hour, -1);
}

static void a_folder_in_use_or_not_watched_is_none(void **state)
{
	struct sweep_folder folder = make_folder();

	folder.read_at = NOW - DAY;
	assert_null(find_folder(&folder));
	folder = make_folder();
	folder.scratch = false; /* results: someone read them */
	folder.written_at = NOW - 9 * DAY;
	folder.read_at = NOW - 8 * DAY;
	assert_null(find_folder(&folder));
	folder.read_at = 0;
	assert_non_null(find_folder(&folder));
	folder.known_since = NOW - 5 * DAY; /* who read it before is not known */
	assert_null(find_folder(&folder));
	folder = make_folder();
	folder.bytes = 900000000;
	assert_null(find_folder(&folder));
	folder = make_folder();
	folder.path =
		"/tmp/nxf.x8Qk2"; /* removed without that being seen, and its disk is its host's */
	assert_null(find_folder(&folder));
	folder.path = "/data";
	assert_null(find_folder(&folder)->command);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_task_without_progress_is_stuck),
		TEST(a_task_is_not_stuck),
		TEST(a_host_that_is_not_known_has_no_stuck_tasks),
		TEST(without_a_history_it_is_less_sure),
		TEST(the_command_ends_what_keeps_the_task),
		TEST(a_task_that_outlives_its_engine_is_found),
		TEST(what_was_left_on_purpose_is_no_waste),
		TEST(work_done_again_is_found),
		TEST(work_that_differs_or_is_short_is_none),
		TEST(a_work_folder_that_no_one_uses_is_found),
		TEST(a_folder_in_use_or_not_watched_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
