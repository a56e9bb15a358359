/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/file.h"
#include "server/ingest/engine_report.h"

/* The messages of tests/data/told: weblog.jsonl is what Nextflow 22.10.7 sent, wms.forms what
 * Snakemake 7.21 did (paths and user changed); tower.jsonl is written after the source of
 * Nextflow's plugin nf-tower, which was not seen to run. */

typedef int reader(struct engine_report *report, const char *bytes, size_t len, struct error *err);

/* Reads each line of a file; calls check with its number, from 0. */
static void each(const char *name, reader *read, void (*check)(size_t line, Signal__Batch *batch))
{
	char path[256], *text, *line, *rest = NULL;
	size_t len, number = 0;

	snprintf(path, sizeof(path), TESTS_DIR "/data/told/%s", name);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, &len), 0);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct error err = { "" };
		struct engine_report report;

		engine_report_init(&report);
		if (read(&report, line, strlen(line), &err))
			fail_msg("line %zu of %s: %s", number + 1, name, error_text(&err));
		check(number++, report.batch);
		engine_report_clear(&report);
	}
	free(text);
}

/* What a batch holds, as a row of text for each record. */
static struct buffer rows;

static void append(size_t line, Signal__Batch *batch)
{
	for (size_t i = 0; i < batch->n_told_runs; i++) {
		Signal__ToldRun *run = batch->told_runs[i];

		buffer_printf(&rows, "run %s %s [%s] [%s] %d\n", run->engine, run->name,
			      run->pipeline, run->cwd, run->begun_at != 0);
	}
	for (size_t i = 0; i < batch->n_told_tasks; i++) {
		Signal__ToldTask *task = batch->told_tasks[i];

		buffer_printf(&rows, "task %s %s [%s] [%s] %s %u [%s] [%s]", task->task, task->step,
			      task->name, task->sample, task->status, task->attempt, task->workdir,
			      task->command);
		for (size_t k = 0; k < task->n_outputs; k++)
			buffer_printf(&rows, " > %s", task->outputs[k]);
		buffer_append_text(&rows, "\n");
	}
}

static void assert_rows(const char *wanted)
{
	assert_string_equal(rows.data, wanted);
	assert_null(strstr(rows.data, "hunter2"));
	buffer_clear(&rows);
}

static void weblog_tells_of_a_run_and_each_task_in_turn(void **state)
{
	buffer_init(&rows, 0);
	each("weblog.jsonl", engine_report_from_weblog, append);
	/* The first messages, the retry, and the last. */
	assert_non_null(strstr(rows.data, "run nextflow adoring_austin [] [/data/rnaseq] 1\n"));
	assert_non_null(strstr(rows.data,
			       "task 3 ALIGN [ALIGN (kidney_1)] [kidney_1] queued 1 "
			       "[/data/rnaseq/work/dc/408f461059fb6dd17e25ba9be59f17] []\n"));
	assert_non_null(strstr(rows.data, "task 3 ALIGN [ALIGN (kidney_1)] [kidney_1] ended 1 "));
	assert_non_null(strstr(rows.data, " FLAKY [FLAKY] [] ended 1 "));
	assert_non_null(strstr(rows.data, " FLAKY [FLAKY] [] ended 2 "));
	assert_null(strstr(rows.data, "hunter2"));
	assert_null(strstr(rows.data, "seq 2000")); /* its script */
	buffer_clear(&rows);
}

static int read_tower(struct engine_report *report, const char *bytes, size_t len,
		      struct error *err)
{
	return engine_report_from_tower(report, "ID", bytes, len, err);
}

static void tower_tells_the_same_in_other_words(void **state)
{
	buffer_init(&rows, 0);
	each("tower.jsonl", read_tower, append);
	assert_rows(
		"run nextflow adoring_austin [nf-core/rnaseq] [] 1\n"
		"run nextflow adoring_austin [nf-core/rnaseq] [/data/rnaseq] 1\n"
		"run nextflow  [] [] 0\n"
		"task 3 ALIGN [ALIGN (kidney_1)] [kidney_1] cached 1 "
		"[/data/rnaseq/work/dc/408f461059fb6dd17e25ba9be59f17] []\n"
		"task 4 ALIGN [ALIGN (liver_1)] [liver_1] queued 2 [/data/rnaseq/work/2d/068099] "
		"[]\n");
}

static void weblog_and_tower_know_a_run_by_one_id(void **state)
{
	char tower[ENGINE_REPORT_ID_MAX + 1];
	static const char create[] = "{\"sessionId\":\"s\",\"runName\":\"n\"}";
	static const char event[] = "{\"runId\":\"s\",\"runName\":\"n\",\"event\":\"error\"}";
	static const char resumed[] = "{\"runId\":\"s\",\"runName\":\"m\",\"event\":\"error\"}";
	struct engine_report report;

	engine_report_init(&report);
	assert_int_equal(engine_report_tower_id(create, strlen(create), tower, NULL), 0);
	assert_int_equal(engine_report_from_weblog(&report, event, strlen(event), NULL), 0);
	assert_int_equal(engine_report_from_weblog(&report, resumed, strlen(resumed), NULL), 0);
	assert_string_equal(report.batch->told_runs[0]->told_id, tower);
	assert_string_not_equal(report.batch->told_runs[1]->told_id, tower);
	engine_report_clear(&report);
}

static int read_wms(struct engine_report *report, const char *form, size_t len, struct error *err)
{
	if (strncmp(form, "id=", 3) != 0 && !strstr(form, "&id="))
		return engine_report_from_wms_create(report, "ID", "third", 1, form, len, err);
	return engine_report_from_wms(report, form, len, err);
}

static void snakemake_tells_of_jobs_and_then_of_their_commands(void **state)
{
	buffer_init(&rows, 0);
	each("wms.forms", read_wms, append);
	assert_non_null(strstr(rows.data, "run snakemake third [] [/data/rnaseq] 1\n"));
	assert_non_null(strstr(rows.data,
			       "task 4 sort_lines [sort_lines (kidney)] [kidney] running 0 [] [] > "
			       "kidney.txt\n"
			       "task   [] []  0 [] [seq 20000 | sort -r > kidney.txt\n"
			       "        gzip -k -f kidney.txt]\n"));
	/* Of a failure: both at once. That of a script's is of no use. */
	assert_non_null(strstr(rows.data, "task 6 flaky [flaky] [] running 0 [] [gzip -c "));
	assert_null(strstr(rows.data, "plot.py"));
	buffer_clear(&rows);
}

static void secrets_are_masked_where_agents_mask_them(void **state)
{
	static const char form[] = "id=1&msg=%7B%22level%22%3A%22shellcmd%22%2C%22msg%22%3A%22curl+"
				   "--password+hunter2+-o+x%22%7D";
	struct engine_report report;

	engine_report_init(&report);
	assert_int_equal(engine_report_from_wms(&report, form, strlen(form), NULL), 0);
	assert_string_equal(report.batch->told_tasks[0]->command, "curl --password *** -o x");
	engine_report_clear(&report);
}

static void times_are_milliseconds_or_text_in_any_zone(void **state)
{
	static const struct {
		const char *json;
		int64_t ns;
	} TIMES[] = {
		{ "1795371757733", 1795371757733000000 },
		{ "\"2026-11-22T18:22:37Z\"", 1795371757000000000 },
		{ "\"2026-11-22T18:22:37.733Z\"", 1795371757733000000 },
		{ "\"2026-11-22T19:22:37.733+01:00\"", 1795371757733000000 },
		{ "\"2026-11-22T12:52:37.733-05:30\"", 1795371757733000000 },
		{ "\"2026-11-22T18:22Z\"", 1795371720000000000 },
		{ "\"2026-11-22T18:22:37.7331234567891234Z\"", 1795371757733123456 },
		{ "\"2026-11-22T18:22:37\"", 0 },
		{ "\"2026-11-22T18:22:37+99:00\"", 0 },
		{ "\"yesterday\"", 0 },
		{ "\"\"", 0 },
		{ "-1", 0 },
		{ "9223372036854775807", 0 },
		{ "null", 0 },
	};

	for (size_t i = 0; i < sizeof(TIMES) / sizeof(TIMES[0]); i++) {
		json_t *value = json_loads(TIMES[i].json, JSON_DECODE_ANY, NULL);

		if (engine_report_time(value) != TIMES[i].ns)
			fail_msg("%s", TIMES[i].json);
		json_decref(value);
	}
}

static void refuse(reader *read, const char *bytes, const char *words)
{
	struct error err = { "" };
	struct engine_report report;

	engine_report_init(&report);
	assert_int_equal(read(&report, bytes, strlen(bytes), &err), -EPROTO);
	engine_report_clear(&report);
	if (!strstr(error_text(&err), words))
		fail_msg("'%s' lacks '%s'", error_text(&err), words);
}

static void what_cannot_be_read_is_refused_in_words(void **state)
{
	char long_id[300];

	refuse(engine_report_from_weblog, "", "no JSON");
	refuse(engine_report_from_weblog, "{\"runId\":", "no JSON");
	refuse(engine_report_from_weblog, "[]", "no JSON object");
	refuse(engine_report_from_weblog, "\"x\"", "no JSON");
	refuse(engine_report_from_weblog, "{\"runId\":\"\xff\"}", "no JSON");
	refuse(engine_report_from_weblog, "{\"runId\":\"a\\u0000b\",\"runName\":\"n\"}", "no JSON");
	refuse(engine_report_from_weblog, "{}", "lacks runId");
	refuse(engine_report_from_weblog, "{\"runId\":[],\"runName\":\"n\"}", "lacks runId");
	refuse(engine_report_from_weblog, "{\"runId\":\"s\",\"runName\":\"\"}", "lacks runName");
	refuse(engine_report_from_weblog, "{\"runId\":\"s\",\"runName\":\"n\",\"trace\":{}}",
	       "lacks task_id");
	snprintf(long_id, sizeof(long_id), "{\"runId\":\"%0129d\",\"runName\":\"n\"}", 0);
	refuse(engine_report_from_weblog, long_id, "128 bytes");
	refuse(read_tower, "{\"tasks\":[{}]}", "lacks task_id");
	refuse(engine_report_from_wms, "", "the id that");
	refuse(engine_report_from_wms, "id=1", "the id that");
	refuse(engine_report_from_wms, "id=1&msg=%zz", "percent-encoded");
	refuse(engine_report_from_wms, "id=1&msg=%7B%7D", "lacks a level");
	refuse(engine_report_from_wms, "id=1&msg=%7B%22level%22%3A%22job_info%22%7D",
	       "lacks jobid");
}

static void lists_and_texts_have_ends(void **state)
{
	struct buffer text = { 0 };
	struct engine_report report;

	buffer_init(&text, 0);
	buffer_append_text(&text, "{\"tasks\":[{\"taskId\":1}");
	for (int i = 1; i < ENGINE_REPORT_TASKS_MAX; i++)
		buffer_append_text(&text, ",{\"taskId\":1}");
	engine_report_init(&report);
	buffer_append_text(&text, "]}");
	assert_int_equal(read_tower(&report, text.data, text.len, NULL), 0);
	assert_int_equal(report.batch->n_told_tasks, ENGINE_REPORT_TASKS_MAX);
	engine_report_clear(&report);
	text.data[text.len - 2] = ',';
	text.data[text.len - 1] = '{';
	buffer_append_text(&text, "}]}");
	refuse(read_tower, text.data, "at most 1000");

	buffer_reset(&text);
	buffer_append_text(&text, "id=1&msg={\"level\":\"job_info\",\"jobid\":1,\"name\":\"");
	for (int i = 0; i < ENGINE_REPORT_NAME_MAX; i++)
		buffer_append_text(&text, "\xc3\xa4");
	buffer_append_text(&text, "\",\"output\":[\"a\"");
	for (int i = 0; i < ENGINE_REPORT_OUTPUTS_MAX; i++)
		buffer_append_text(&text, ",\"b\"");
	buffer_append_text(&text, "]}");
	engine_report_init(&report);
	assert_int_equal(engine_report_from_wms(&report, text.data, text.len, NULL), 0);
	assert_int_equal(strlen(report.batch->told_tasks[0]->step), ENGINE_REPORT_NAME_MAX);
	assert_int_equal(report.batch->told_tasks[0]->n_outputs, ENGINE_REPORT_OUTPUTS_MAX);
	engine_report_clear(&report);
	buffer_clear(&text);
}

static void members_of_other_kinds_are_as_not_told(void **state)
{
	static const char odd[] =
		"{\"runId\":\"s\",\"runName\":\"n\",\"event\":7,\"utcTime\":{},\"metadata\":[],"
		"\"trace\":{\"task_id\":1,\"name\":{},\"process\":7,\"tag\":[\"x\"],\"status\":null,"
		"\"workdir\":true,\"attempt\":-3,\"submit\":\"x\"}}";
	struct engine_report report;

	buffer_init(&rows, 0);
	engine_report_init(&report);
	assert_int_equal(engine_report_from_weblog(&report, odd, strlen(odd), NULL), 0);
	append(0, report.batch);
	engine_report_clear(&report);
	assert_rows("run nextflow n [] [] 0\ntask 1  [] []  0 [] []\n");
}

/* Nextflow writes CPUs as a number, memory in bytes; null where the process says none. */
static void what_a_task_asked_for_is_a_number_within_bounds(void **state)
{
	static const struct {
		const char *cpus, *memory;
		double asked_cpus;
		uint64_t asked_bytes;
	} TASKS[] = {
		{ "2", "1073741824", 2, UINT64_C(1) << 30 },
		{ "1", "null", 1, 0 },
		{ "0.5", "1.5e9", 0.5, 1500000000 },
		{ "65536", "1125899906842624", 65536, UINT64_C(1) << 50 },
		{ "65537", "1125899906842625", 0, 0 },
		{ "0", "0", 0, 0 },
		{ "-2", "-1073741824", 0, 0 },
		{ "1e300", "1e300", 0, 0 },
		{ "-9223372036854775808", "9223372036854775807", 0, 0 },
		{ "\"2\"", "\"1 GB\"", 0, 0 },
		{ "[2]", "{\"bytes\":1}", 0, 0 },
		{ "true", "false", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(TASKS) / sizeof(TASKS[0]); i++) {
		struct engine_report report;
		char event[300];

		snprintf(event, sizeof(event),
			 "{\"runId\":\"s\",\"runName\":\"n\",\"trace\":{\"task_id\":1,"
			 "\"cpus\":%s,\"memory\":%s}}",
			 TASKS[i].cpus, TASKS[i].memory);
		engine_report_init(&report);
		assert_int_equal(engine_report_from_weblog(&report, event, strlen(event), NULL), 0);
		assert_int_equal(report.batch->n_told_tasks, 1);
		if (report.batch->told_tasks[0]->cpus_requested != TASKS[i].asked_cpus ||
		    report.batch->told_tasks[0]->memory_requested_bytes != TASKS[i].asked_bytes)
			fail_msg("cpus %s memory %s: got %g, %llu", TASKS[i].cpus, TASKS[i].memory,
				 report.batch->told_tasks[0]->cpus_requested,
				 (unsigned long long)report.batch->told_tasks[0]
					 ->memory_requested_bytes);
		engine_report_clear(&report);
	}
}

/* Not a number, and more than a number can be, are no JSON. */
static void what_is_no_number_of_json_is_refused(void **state)
{
	static const char *const NUMBERS[] = { "NaN", "Infinity", "-Infinity", "1e999",
					       "9223372036854775808" };

	for (size_t i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++) {
		char event[200];

		snprintf(event, sizeof(event),
			 "{\"runId\":\"s\",\"runName\":\"n\",\"trace\":{\"task_id\":1,"
			 "\"cpus\":%s}}",
			 NUMBERS[i]);
		refuse(engine_report_from_weblog, event, "no JSON");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weblog_tells_of_a_run_and_each_task_in_turn),
		cmocka_unit_test(tower_tells_the_same_in_other_words),
		cmocka_unit_test(weblog_and_tower_know_a_run_by_one_id),
		cmocka_unit_test(snakemake_tells_of_jobs_and_then_of_their_commands),
		cmocka_unit_test(secrets_are_masked_where_agents_mask_them),
		cmocka_unit_test(times_are_milliseconds_or_text_in_any_zone),
		cmocka_unit_test(what_cannot_be_read_is_refused_in_words),
		cmocka_unit_test(lists_and_texts_have_ends),
		cmocka_unit_test(members_of_other_kinds_are_as_not_told),
		cmocka_unit_test(what_a_task_asked_for_is_a_number_within_bounds),
		cmocka_unit_test(what_is_no_number_of_json_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
