/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/report/logs/log_paths.h"

/* The paths, each with a blank behind it. */
static void finds(const char *run_text, const char *task_text, const char *files_text,
		  const char *expected)
{
	json_t *run = json_loads(run_text, 0, NULL),
	       *task = task_text ? json_loads(task_text, 0, NULL) : NULL,
	       *files = json_loads(files_text, 0, NULL), *paths = log_paths_of(run, task, files),
	       *path;
	char shown[8192] = "";
	size_t i;

	assert_true(run && files);
	json_array_foreach(paths, i, path)
	{
		strcat(shown, json_string_value(path));
		strcat(shown, " ");
	}
	assert_string_equal(shown, expected);
	json_decref(paths);
	json_decref(files);
	json_decref(task);
	json_decref(run);
}

#define FILE_OF(task, path) \
	"{\"kind\":\"file\",\"writes\":true,\"task_id\":" task ",\"path\":\"" path "\"}"

static void each_engine_has_its_logs(void **state)
{
	finds("{}", "{\"id\":\"t\",\"folder\":\"/w/ab/cd\"}", "[]",
	      "/w/ab/cd/.command.err /w/ab/cd/.command.log /w/ab/cd/.command.out ");
	finds("{\"labels\":{\"slurm_job_id\":\"7\"},\"cwd\":\"/w\"}", "{\"id\":\"t\"}",
	      "[" FILE_OF("\"t\"", "/w/my-7_1.out") "," FILE_OF("\"u\"", "/w/my-7_2.out") "]",
	      "/w/my-7_1.out /w/slurm-7.out ");
	finds("{\"engine\":\"snakemake\"}", "{\"id\":\"t\"}",
	      "[" FILE_OF("null", "/w/.snakemake/log/1.snakemake.log") "," FILE_OF(
		      "null", "/w/.snakemake/locks/a") "," FILE_OF("\"t\"", "/w/logs/map.log") "]",
	      "/w/logs/map.log /w/.snakemake/log/1.snakemake.log ");
}

static void a_script_has_what_it_redirects(void **state)
{
	finds("{}", "{\"id\":\"t\"}",
	      "[" FILE_OF("\"t\"", "/w/a.log") "," FILE_OF("\"t\"", "/w/a.bam") "," FILE_OF(
		      "\"t\"", "/w/a.err") "," FILE_OF("null", "/w/b.log") "]",
	      "/w/a.err /w/a.log ");
	finds("{}", NULL,
	      "[" FILE_OF("\"t\"", "/w/a.log") "," FILE_OF("null", "/w/b.log") "," FILE_OF(
		      "null", "/w/b.log") "]",
	      "/w/b.log ");
}

static void what_cannot_be_a_log_is_not_one(void **state)
{
	finds("{}", "{\"id\":\"t\"}",
	      "[{\"kind\":\"file\",\"writes\":false,\"task_id\":\"t\",\"path\":\"/w/read.log\"},"
	      "{\"kind\":\"device\",\"writes\":true,\"task_id\":\"t\",\"path\":\"/dev/log\"},"
	      "{\"kind\":\"file\",\"writes\":true,\"task_id\":\"t\",\"path\":null},"
	      "{\"kind\":\"file\",\"writes\":true,\"task_id\":\"t\",\"path\":\"near.log\"}]",
	      "");
	finds("{\"labels\":{\"slurm_job_id\":\"../../etc\"},\"cwd\":\"/w\"}", "{\"id\":\"t\"}",
	      "[]", "");
	finds("{\"labels\":{\"slurm_job_id\":\"7\"},\"cwd\":\"w\"}", "{\"id\":\"t\"}", "[]", "");
	finds("{}", "{}", "[]", "");
}

static void there_are_not_more_than_may_be(void **state)
{
	json_t *files = json_array(), *task = json_pack("{s:s}", "id", "t"), *paths;

	for (int i = 0; i < 3 * LOG_PATHS_MAX; i++) {
		char path[32];

		(void)snprintf(path, sizeof(path), "/w/%d.log", i);
		json_array_append_new(files, json_pack("{s:s, s:b, s:s, s:s}", "kind", "file",
						       "writes", 1, "task_id", "t", "path", path));
	}
	paths = log_paths_of(task, task, files);
	assert_int_equal(json_array_size(paths), LOG_PATHS_MAX);
	json_decref(paths);
	json_decref(files);
	json_decref(task);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_engine_has_its_logs),
		cmocka_unit_test(a_script_has_what_it_redirects),
		cmocka_unit_test(what_cannot_be_a_log_is_not_one),
		cmocka_unit_test(there_are_not_more_than_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
