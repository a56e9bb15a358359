/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * Uses of files, one a line: task ("-": the engine's own), pid, how (r, w, rw; a path is reported
 * as a use that is neither: p), file, its path, when (seconds), bytes moved, size. Then what fed
 * what: from, to, files, their size, bytes written and read, when they were closed, and a path.
 */
static const struct {
	const char *name, *uses, *edges;
} cases[] = {
	{ "one task's output is the other's input",
	  "a 1 p f /data/x 9 0 0\na 1 w f - 10 100 100\nb 2 p f /data/x 19 0 0\nb 2 r f - 20 60 100",
	  "a b 1 100 100 60 @10 /data/x\n" },
	{ "what was said in parts adds up",
	  "a 1 w f - 5 70 70\na 1 w f - 10 30 100\nb 2 r f - 20 40 100\nb 2 r f - 25 60 100",
	  "a b 1 100 100 100 @10 -\n" },
	{ "files of an edge add up, and the largest lends its path",
	  "a 1 p f /data/x 9 0 0\na 1 w f - 10 5 5\na 1 p g /data/y 9 0 0\na 1 w g - 11 50 50\n"
	  "b 2 r f - 20 5 5\nb 2 r g - 20 50 50",
	  "a b 2 55 55 55 @11 /data/y\n" },
	{ "a rename changes nothing",
	  "a 1 p f /data/x.tmp 9 0 0\na 1 w f - 10 1 1\nb 2 p f /data/x 19 0 0\nb 2 r f - 20 1 1",
	  "a b 1 1 1 1 @10 /data/x.tmp\n" },
	{ "of several writers the last one before",
	  "a 1 w f - 10 1 1\nb 2 w f - 20 1 1\nc 3 r f - 30 1 1\nd 4 w f - 40 1 1\nd 5 r f - 50 1 1\n"
	  "e 6 r f - 60 1 1",
	  "d e 1 1 1 1 @40 -\nb c 1 1 1 1 @20 -\n" },
	{ "what a task wrote itself has no source",
	  "a 1 w f - 10 1 1\na 1 r f - 12 1 1\nb 2 w g - 10 1 1\nb 2 r g - 20 1 1", "" },
	{ "one that overwrote and then read feeds itself",
	  "a 1 w f - 10 1 1\nb 2 w f - 20 1 1\nb 3 r f - 30 1 1", "" },
	{ "two that overwrite by turns feed each other",
	  "a 1 w f - 10 1 1\nb 2 r f - 20 1 1\nb 3 w f - 30 1 1\na 4 r f - 40 1 1",
	  "b a 1 1 1 1 @30 -\na b 1 1 1 1 @10 -\n" },
	{ "an update reads what was there before",
	  "a 1 p f /data/db 9 0 0\na 1 w f - 10 1 1\nb 2 p f /data/db 19 0 0\nb 2 rw f - 20 9 10\n"
	  "c 3 r f - 30 1 10",
	  "b c 1 10 9 1 @20 /data/db\na b 1 1 1 9 @10 /data/db\n" },
	{ "a reused number is another file: it has another name",
	  "a 1 p f /tmp/one 9 0 0\na 1 rw f - 10 1 1\nb 2 p f /tmp/other 19 0 0\nb 2 rw f - 20 9 10",
	  "" },
	{ "but whoever reads that one later is fed",
	  "a 1 p f /tmp/one 9 0 0\na 1 rw f - 10 1 1\nb 2 p f /tmp/other 19 0 0\nb 2 rw f - 20 9 10\n"
	  "c 3 r f - 30 10 10",
	  "b c 1 10 9 10 @20 /tmp/other\n" },
	{ "what the engine wrote comes from no task, what it read feeds none",
	  "- 1 w f - 10 1 1\na 2 r f - 20 1 1\na 2 w g - 30 1 1\n- 1 r g - 40 1 1", "" },
	{ "the engine wrote between: the task before did not feed",
	  "a 1 w f - 10 1 1\n- 2 w f - 20 1 1\nb 3 r f - 30 1 1", "" },
	{ "a tick of the clock: read before it was closed, by a little",
	  "a 1 w f - 10.015 1 1\nb 2 r f - 10 1 1\nc 3 r f - 9.9 1 1", "a b 1 1 1 1 @10.015 -\n" },
	{ "read at the instant at which it was closed", "a 1 w f - 10 1 1\nb 2 r f - 10 1 1",
	  "a b 1 1 1 1 @10 -\n" },
	{ "no task had written it yet", "a 1 r f - 10 1 1\nb 2 w f - 20 1 1", "" },
	{ "modules that Python keeps compiled are no data",
	  "a 1 p f /work/__pycache__/m.cpython-311.pyc.140 9 0 0\na 1 w f - 10 1 1\nb 2 r f - 20 1 1",
	  "" },
	{ "mapped, or moved by pwrite: a use all the same",
	  "a 1 w f - 10 0 100\nb 2 r f - 20 0 100", "a b 1 100 0 0 @10 -\n" },
	{ "no files", "", "" },
};

#define EDGES "from_id to_id files size_bytes written_bytes read_bytes closed_at path"

static struct lake lake;
static char run[16]; /* each story is a run of its own */
static uint64_t sequence;
static char texts[32][3][64]; /* of the story's uses */
static size_t texts_count;

static int setup(void **state)
{
	lake_make(&lake);
	return 0;
}

static int teardown(void **state)
{
	lake_remove(&lake);
	return 0;
}

static void made_use(struct made *made, const char *line)
{
	Signal__File *file = made_add(made, "files");
	char(*words)[64] = texts[texts_count++], how[4];
	double used_at;
	long moved, size;

	assert_int_equal(sscanf(line, "%63s %u %3s %63s %63s %lf %ld %ld", words[0], &file->pid,
				how, words[1], words[2], &used_at, &moved, &size),
			 8);
	file->start_ns = file->pid * UINT64_C(1000);
	file->image_seq = file->pid;
	file->run_id = run;
	file->task_id = strcmp(words[0], "-") == 0 ? "" : words[0];
	file->file_id = 1000 + (uint64_t)words[1][0];
	file->kind = "file";
	file->path = strcmp(words[2], "-") == 0 ? "" : words[2];
	file->first_at = file->last_at = T0 + (int64_t)(used_at * 1e9 + 0.5);
	file->opens = *how != 'p';
	file->reads = strchr(how, 'r') != NULL;
	file->writes = strchr(how, 'w') != NULL;
	file->moved_bytes = (uint64_t)moved;
	file->size_bytes = (uint64_t)size;
}

static void made_story(struct made *made, const char *uses)
{
	static const char *const tasks[] = { "a", "b", "c", "d", "e" };

	made_init(made, ++sequence);
	snprintf(run, sizeof(run), "run-%d", (int)sequence);
	texts_count = 0;
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
		made_task(made, tasks[i], "step", (double)i, (double)i + 1)->run_id = run;
	for (const char *at = uses; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		made_use(made, at);
}

static const char *ask_run(const char *query, int limit, const char *columns)
{
	char params[64];

	snprintf(params, sizeof(params), "run=%s limit=%d", run, limit);
	return lake_query(&lake, query, params, columns);
}

static void each_task_is_fed_by_who_closed_its_files_last(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made made;

		print_message("%s\n", cases[i].name);
		made_story(&made, cases[i].uses);
		lake_store(&lake, &made);
		assert_string_equal(ask_run("dataflow", 100, EDGES), cases[i].edges);
	}
}

/* On another host, or after the next boot, a number is another file's. */
static void hosts_and_boots_share_no_file(void **state)
{
	struct made made;

	made_story(&made, "a 1 w f - 10 1 1");
	lake_store(&lake, &made);
	made_init(&made, ++sequence);
	made.batch.host_id = "other";
	made_use(&made, "b 2 r f - 20 1 1");
	lake_store(&lake, &made);
	made_init(&made, ++sequence);
	made.batch.boot_id = "later";
	made_use(&made, "c 3 r f - 30 1 1");
	lake_store(&lake, &made);
	assert_string_equal(ask_run("dataflow", 100, EDGES), "");
}

/* Those of the engine, closed later, take no place. */
static void of_more_tasks_than_the_limit_the_last_are_listed(void **state)
{
	struct made made;

	made_story(&made, "a 1 w f - 10 1 1\nb 2 r f - 20 1 1\nb 2 w g - 30 1 1\nc 3 r g - 40 1 1\n"
			  "- 9 w h - 50 1 1\nc 3 r h - 60 1 1\nc 3 w i - 70 1 1\n- 9 r i - 80 1 1");
	lake_store(&lake, &made);
	assert_string_equal(ask_run("dataflow", 1, "from_id to_id"), "b c\n");
	assert_string_equal(ask_run("dataflow_tasks", 2, "id"), "d\ne\n");
}

static void opens_with_an_unknown_path_are_counted(void **state)
{
	struct made made;

	made_story(&made, "b 1 r f - 10 1 1\nb 1 r g - 10 1 1");
	for (size_t i = 0; i < made.batch.n_files; i++) {
		made.batch.files[i]->kind = "more";
		made.batch.files[i]->opens = 7;
	}
	lake_store(&lake, &made);
	assert_string_equal(ask_run("dataflow_tasks", 9, "id untold_opens"),
			    "a 0\nb 14\nc 0\nd 0\ne 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_task_is_fed_by_who_closed_its_files_last),
		cmocka_unit_test(hosts_and_boots_share_no_file),
		cmocka_unit_test(of_more_tasks_than_the_limit_the_last_are_listed),
		cmocka_unit_test(opens_with_an_unknown_path_are_counted),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
