/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"
#include "lake/store/settle/store_settle.h"

/* Which steps were done again, and where runs wrote what no one reads: by what is stored of settled
 * runs. */

static uint64_t sequence;

/* A run with one task, which reads a file and writes another; what is not given is as of `ann`. */
struct story {
	char *id, *user, *cwd, *script, *shell;
	double begin;
	char *tool, *version, *options, *input, *output, *engine, *folder, *status;
	uint64_t input_bytes, output_bytes, file_id, net_bytes, script_bytes;
};

static Signal__File *made_file(struct made *made, const struct story *story, char *path,
			       uint64_t file_id, uint64_t bytes, bool writes)
{
	Signal__File *file = made_add(made, "files");

	file->pid = (uint32_t)sequence;
	file->start_ns = sequence * 1000;
	file->image_seq = sequence;
	file->run_id = file->task_id = story->id;
	file->file_id = file_id;
	file->kind = "file";
	file->path = path;
	file->first_at = file->last_at = T0 + (int64_t)((story->begin + 50) * 1e9);
	file->opens = 1;
	file->reads = !writes;
	file->writes = writes;
	file->moved_bytes = file->size_bytes = bytes;
	return file;
}

static void made_program(struct made *made, const struct story *story)
{
	static char *argv[5];
	Signal__Execution *execution = made_execution(made, (uint32_t)sequence, story->id,
						      story->tool ? story->tool : "bwa mem",
						      story->begin, story->begin + 100);

	execution->run_id = story->id;
	execution->version = story->version ? story->version : "0.7.17";
	execution->tool_kind = "tool";
	execution->exe = "/opt/bwa/bwa";
	argv[0] = "bwa";
	argv[1] = story->options ? story->options : "-t2";
	argv[2] = story->input;
	execution->argv = calloc(3, sizeof(char *));
	memcpy(execution->argv, argv, 3 * sizeof(char *));
	execution->n_argv = story->input ? 3 : 2;
	execution->figures->net_rx_bytes = story->net_bytes;
	execution->figures->user_ns = 150 * (uint64_t)S;
}

/* What the engine gave to a shell. */
static void made_shell(struct made *made, const struct story *story)
{
	Signal__Execution *execution = made_execution(made, 5000 + (uint32_t)sequence, story->id,
						      "bash", story->begin, story->begin + 100);

	execution->run_id = story->id;
	execution->tool_kind = "shell";
	execution->exe = "/bin/bash";
	execution->argv = calloc(3, sizeof(char *));
	execution->argv[0] = "bash";
	execution->argv[1] = "-c";
	execution->argv[2] = story->shell;
	execution->n_argv = 3;
}

static void settle(struct lake *lake, const char *const *ids, size_t count)
{
	struct error err = { "" };
	bool done = false;

	assert_int_equal(store_settle_runs(lake->store, ids, count, "sums", &done, &err), 0);
	assert_true(done);
}

static void store_run(struct lake *lake, const struct story *story)
{
	struct made made;
	Signal__Run *run;
	Signal__Task *task;
	char **argv, **shell;

	made_init(&made, ++sequence);
	run = made_run(&made, story->id, story->begin, story->begin + 110);
	run->pid = (uint32_t)sequence;
	run->name = story->id;
	run->pipeline = "tiny";
	run->engine = story->engine ? story->engine : "snakemake";
	run->user = story->user ? story->user : "ann";
	run->cwd = story->cwd ? story->cwd : "/home/ann/tiny";
	task = made_task(&made, story->id, "align", story->begin, story->begin + 100);
	task->run_id = story->id;
	task->folder = story->folder ? story->folder : "";
	task->cpus_requested = 2;
	if (story->status)
		task->status = story->status;
	made_program(&made, story);
	if (story->shell)
		made_shell(&made, story);
	argv = made.batch.executions[0]->argv;
	shell = story->shell ? made.batch.executions[1]->argv : NULL;
	if (story->input)
		made_file(&made, story, story->input, story->file_id ? story->file_id : sequence,
			  story->input_bytes ? story->input_bytes : 5000, false);
	if (story->script)
		made_file(&made, story, story->script, 2000,
			  story->script_bytes ? story->script_bytes : 300, false);
	if (story->output)
		made_file(&made, story, story->output, 1000 + sequence,
			  story->output_bytes ? story->output_bytes : 700, true);
	lake_store(lake, &made);
	free(argv);
	free(shell);
}

static void run_settles(struct lake *lake, const struct story *story)
{
	const char *id = story->id;

	store_run(lake, story);
	settle(lake, &id, 1);
}

#define AGAIN                                                                                    \
	"pipeline step tool version first_run first_user run_name users tasks inputs "           \
	"input_bytes same_files same_outputs rewritten since_at until_at wall_s engine host_id " \
	"cpu_s"
#define ASK(lake) lake_query((lake), "waste_repeats", "since_at=@0 now_at=@9000 limit=10", AGAIN)
#define NONE      ""

static const struct story FIRST = { .id = "first",
				    .begin = 10,
				    .script = "/home/ann/tiny/align.py",
				    .shell = "SEED=1 bwa mem",
				    .input = "/home/ann/tiny/reads.fq",
				    .output = "/home/ann/tiny/out/a.bam" };

static void a_step_done_again_by_another_user_is_found(void **state)
{
	struct story again = { .id = "again",
			       .script = "/scratch/bob/copy/align.py",
			       .shell = "SEED=1 bwa mem",
			       .begin = 1000,
			       .user = "bob",
			       .cwd = "/scratch/bob/copy",
			       .input = "/scratch/bob/copy/reads.fq",
			       .output = "/scratch/bob/copy/out/a.bam" };

	run_settles(*state, &FIRST);
	assert_string_equal(ASK(*state), NONE);
	run_settles(*state, &again);
	assert_string_equal(ASK(*state),
			    "tiny align bwa mem 0.7.17 first ann again bob 1 1 5000 0 1 0 "
			    "@1000 @1100 100 snakemake host 200\n");
	/* Of the very same file, and once more. */
	again.id = "third";
	again.user = "ann";
	again.begin = 2000;
	again.cwd = "/home/ann/tiny";
	again.script = "/home/ann/tiny/align.py";
	again.input = "/home/ann/tiny/reads.fq";
	again.output = "/home/ann/tiny/out/a.bam";
	run_settles(*state, &again);
	assert_string_equal(ASK(*state),
			    "tiny align bwa mem 0.7.17 first ann third ann, bob 2 1 5000 0 1 0 "
			    "@1000 @2100 200 snakemake host 400\n");
	assert_string_equal(lake_query(*state, "waste_repeats",
				       "since_at=@500 now_at=@9000 limit=10",
				       "first_run users tasks"),
			    "again ann 1\n");
	assert_string_equal(lake_query(*state, "waste_repeats", "since_at=@0 now_at=@1500 limit=10",
				       "users tasks"),
			    "bob 1\n");
}

static void what_differs_is_not_the_same(void **state)
{
	static const struct story others[] = {
		{ .id = "options", .begin = 1000, .options = "-t4" },
		{ .id = "version", .begin = 2000, .version = "0.7.18" },
		{ .id = "size", .begin = 3000, .input_bytes = 5001 },
		{ .id = "network", .begin = 4000, .net_bytes = 1 << 20 },
		{ .id = "typed", .begin = 5000, .engine = "session" },
		{ .id = "failed", .begin = 6000, .status = "failed" },
		{ .id = "beside", .begin = 20 }, /* it began before the first ended */
		{ .id = "another", .begin = 7000, .output = "/home/ann/tiny/out/b.bam" },
		{ .id = "script", .begin = 8000, .script_bytes = 301 }, /* was edited */
		{ .id = "shell", .begin = 8500, .shell = "SEED=2 bwa mem" },
	};

	const char *ids[1 + sizeof(others) / sizeof(others[0])] = { FIRST.id };

	store_run(*state, &FIRST);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct story other = others[i];

		ids[1 + i] = other.id;
		other.input = FIRST.input;
		other.script = FIRST.script;
		other.shell = other.shell ? other.shell : FIRST.shell;
		other.output = other.output ? other.output : FIRST.output;
		store_run(*state, &other);
	}
	settle(*state, ids, sizeof(ids) / sizeof(ids[0]));
	assert_string_equal(ASK(*state), NONE);
}

/* `sleep 5` and `date` do the same each time, and read what belongs to the system. */
static void without_files_of_its_own_nothing_is_done_again(void **state)
{
	struct story story = { .id = "one", .begin = 10, .tool = "date", .output = "/data/x/a" };
	static const char *const ids[] = { "one", "two", "three", "four", "five", "six" };

	store_run(*state, &story);
	story.id = "two";
	story.begin = 1000;
	store_run(*state, &story);
	story.id = "three";
	story.begin = 2000;
	story.input = "/usr/share/zoneinfo/UTC";
	store_run(*state, &story);
	story.id = "four";
	story.begin = 3000;
	store_run(*state, &story);
	story.id = "five"; /* a script alone */
	story.begin = 4000;
	story.input = "/home/ann/tiny/simulate.py";
	store_run(*state, &story);
	story.id = "six";
	story.begin = 5000;
	store_run(*state, &story);
	settle(*state, ids, sizeof(ids) / sizeof(ids[0]));
	assert_string_equal(ASK(*state), NONE);
}

/* In Nextflow each task has a folder of its own, below a work folder. */
static void folders_that_an_engine_made_make_no_difference(void **state)
{
	struct story story = {
		.id = "one",
		.begin = 10,
		.engine = "nextflow",
		.folder = "/data/work/ab/0123456789abcdef0123456789abcd",
		.input = "/data/work/12/aaaabbbbccccddddaaaabbbbccccdd/reads.fq",
		.output = "/data/work/ab/0123456789abcdef0123456789abcd/a.bam",
		.file_id = 77,
	};

	run_settles(*state, &story);
	story.id = "two";
	story.begin = 1000;
	story.folder = "/data/work/cd/1123456789abcdef0123456789abcd";
	story.output = "/data/work/cd/1123456789abcdef0123456789abcd/a.bam";
	story.output_bytes = 701;
	run_settles(*state, &story);
	assert_string_equal(lake_query(*state, "waste_repeats", "since_at=@0 now_at=@9000 limit=10",
				       "tasks same_files same_outputs rewritten"),
			    "1 1 0 0\n");
}

static void a_file_written_in_between_is_told(void **state)
{
	struct story story = FIRST;
	struct made made;
	Signal__File *file;

	story.file_id = 77;
	run_settles(*state, &story);
	story.id = "again";
	story.begin = 1000;
	run_settles(*state, &story);
	made_init(&made, ++sequence);
	story.id = "writer";
	story.begin = 500;
	made_run(&made, story.id, 500, 600)->pid = (uint32_t)sequence;
	file = made_file(&made, &story, story.input, 77, 5000, true);
	file->task_id = "";
	lake_store(*state, &made);
	assert_string_equal(lake_query(*state, "waste_repeats", "since_at=@0 now_at=@9000 limit=10",
				       "tasks same_files rewritten"),
			    "1 1 1\n");
}

#define FOLDERS "path run_name user files bytes scratch written_at read_at"
#define ASK_FOLDERS(lake)                                                                    \
	lake_query((lake), "waste_folders", "now_at=@9000 unused_since= bytes=100 limit=10", \
		   FOLDERS)

static void folders_are_those_that_a_person_would_remove(void **state)
{
	static const struct {
		char *path, *folder;
		int scratch;
	} cases[] = {
		{ "/data/w/work/ab/0123456789abcdef0123456789abcd/a.bam", "/data/w/work", 1 },
		{ "/home/ann/tiny/.snakemake/shadow/x", "/home/ann/tiny/.snakemake", 1 },
		{ "/home/ann/tiny/out/deep/a.bam", "/home/ann/tiny/out", 0 },
		{ "/home/ann/tiny/a.bam", "/home/ann/tiny/a.bam", 0 },
		{ "/tmp/sort.8f/part1", "/tmp/sort.8f", 1 },
		{ "/data/lab/shared/x/y/z", "/data/lab/shared", 0 },
	};
	static char names[6][8], expected[1024];
	const char *ids[6];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct story story = { .id = names[i], .begin = 10, .output = cases[i].path };

		snprintf(names[i], sizeof(names[i]), "r%zu", i);
		ids[i] = names[i];
		story.output_bytes = 700 - i;
		store_run(*state, &story);
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			 "%s r%zu ann 1 %zu %d @60 -\n", cases[i].folder, i, 700 - i,
			 cases[i].scratch);
	}
	settle(*state, ids, sizeof(ids) / sizeof(ids[0]));
	assert_string_equal(ASK_FOLDERS(*state), expected);
}

static void what_anyone_reads_below_it_counts(void **state)
{
	struct story story = FIRST;
	struct made made;

	run_settles(*state, &story);
	assert_string_equal(ASK_FOLDERS(*state), "/home/ann/tiny/out first ann 1 700 0 @60 -\n");
	story = (struct story){ .id = "reader", .begin = 1000, .cwd = "/home/bob" };
	story.input = "/home/ann/tiny/out/a.bam";
	run_settles(*state, &story);
	assert_string_equal(ASK_FOLDERS(*state),
			    "/home/ann/tiny/out first ann 1 700 0 @60 @1050\n");
	made_init(&made, ++sequence); /* a run that goes on */
	story.id = "open";
	story.begin = 2000;
	made_run(&made, "open", 2000, -1)->pid = (uint32_t)sequence;
	made_file(&made, &story, "/home/ann/tiny/out/sub/b.bam", 5, 10, false);
	lake_store(*state, &made);
	assert_string_equal(ASK_FOLDERS(*state),
			    "/home/ann/tiny/out first ann 1 700 0 @60 @2050\n");
	assert_string_equal(lake_query(*state, "waste_folders",
				       "now_at=@500 unused_since= bytes=100 limit=10", FOLDERS),
			    "/home/ann/tiny/out first ann 1 700 0 @60 -\n");
	assert_string_equal(lake_query(*state, "waste_folders",
				       "now_at=@9000 unused_since= bytes=701 limit=10", "path"),
			    "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lake_setup, lake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_step_done_again_by_another_user_is_found),
		TEST(what_differs_is_not_the_same),
		TEST(without_files_of_its_own_nothing_is_done_again),
		TEST(folders_that_an_engine_made_make_no_difference),
		TEST(a_file_written_in_between_is_told),
		TEST(folders_are_those_that_a_person_would_remove),
		TEST(what_anyone_reads_below_it_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
