/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/report/screen/screen.h"
#include "cli/report/screen/verdict.h"
#include "cli/terminal/columns.h"

/* The first screen of a document; the caller's (free). The document is given away. */
static char *screen_of(json_t *document)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(document);
	verdict_mark_run(document);
	screen_print(out, document);
	(void)fclose(out);
	json_decref(document);
	return text;
}

static void shows(const char *document_text, const char *expected)
{
	char *text = screen_of(json_loads(document_text, 0, NULL));

	assert_string_equal(text, expected);
	free(text);
}

static void a_screen_has_verdict_facts_findings_and_bars(void **state)
{
	shows("{\"run\":{\"name\":\"rnaseq-1\",\"status\":\"failed\",\"engine\":\"nextflow\",\"wall_s\":720,"
	      "\"hosts\":[\"lab-1\"],\"ended_at\":\"2026-11-26T20:26:43Z\"},"
	      "\"totals\":{\"cost_usd\":0.25},\"losses\":[],"
	      "\"verdict\":{\"text\":\"Failed after 12 min: `salmon quant` (sample A, attempt 2) was killed at "
	      "its memory limit of 4 GiB.\",\"short\":\"salmon quant: out of memory\",\"failed_tools\":null},"
	      "\"findings\":[{\"severity\":\"critical\",\"subject\":\"task A\",\"summary\":\"The kernel killed "
	      "`salmon quant`.\",\"advice\":\"Ask for 6 GiB.\",\"confidence\":\"high\"}],"
	      "\"shares\":{\"tasks\":{\"wall_computing_ns\":3e9,\"wall_disk_ns\":1e9},\"engine\":null},"
	      "\"steps\":[{\"name\":\"index\",\"wall_computing_ns\":2e9,\"failed\":0},"
	      "{\"name\":\"quant\",\"wall_computing_ns\":1e9,\"wall_disk_ns\":1e9,\"failed\":2}]}",
	      "Failed after 12 min: `salmon quant` (sample A, attempt 2) was killed at its\n"
	      "memory limit of 4 GiB.\n"
	      "Run rnaseq-1  failed  nextflow  on lab-1  took 12m 00s  cost $0.250000\n"
	      "\n"
	      "Findings\n"
	      "  ! task A: The kernel killed `salmon quant`.\n"
	      "    → Ask for 6 GiB.\n"
	      "\n"
	      "WHERE TIME WENT           TIME                             WAITS MOSTLY ON\n"
	      "All tasks                4.0 s  ███████████████████DDDDDD  disk 25 %\n"
	      "  index                  2.0 s  █████████████████████████  nothing\n"
	      "! quant                  2.0 s  █████████████DDDDDDDDDDDD  disk 50 %\n"
	      "█ computing  D disk\n");
}

static void what_the_history_says_has_a_line_each(void **state)
{
	static const char answer[] =
		"{\"run\":{\"name\":\"a\",\"status\":\"running\",\"wall_s\":3},\"findings\":[],"
		"\"expected\":{\"runs\":6,\"run\":{\"progress\":0.428,\"remaining_s\":3720,"
		"\"remaining_low_s\":3000,\"remaining_high_s\":4800},\"steps\":["
		"{\"step\":\"align\",\"usual\":\"not as usual\"},{\"step\":\"call\",\"usual\":\"as usual\"}]},"
		"\"sizes\":{\"steps\":[{\"step\":\"align\",\"tasks\":4,\"memory_enough\":true,"
		"\"memory_requested_bytes\":8589934592,\"memory_advised_bytes\":1610612736,"
		"\"memory_highest_bytes\":1073741824,\"wasted_now_gb_h\":2,\"wasted_then_gb_h\":0.2},"
		"{\"step\":\"call\",\"tasks\":400,\"memory_enough\":false,"
		"\"memory_requested_bytes\":8589934592,\"memory_advised_bytes\":1610612736,"
		"\"wasted_now_gb_h\":2,\"wasted_then_gb_h\":0.2}]}}";
	char *text = screen_of(json_loads(answer, 0, NULL));

	assert_non_null(
		strstr(text, "\n42 % done. Ends in about 1h 02m (80 %: 50m 00s to 1h 20m), –.\n"));
	assert_non_null(strstr(text, "\nNot as usual: align.\n"));
	assert_non_null(strstr(
		text, "\nWorth changing: memory of align, 8.0 GiB to 1.5 GiB (used 1.0 GiB).\n"));
	free(text);
}

static void without_history_it_says_how_much_is_missing(void **state)
{
	char *text = screen_of(json_loads(
		"{\"run\":{\"name\":\"a\",\"status\":\"succeeded\"},\"findings\":[],"
		"\"expected\":{\"runs\":1,\"run\":{},\"steps\":["
		"{\"step\":\"align\",\"usual\":\"not enough history\",\"runs_missing\":2}]}}",
		0, NULL));

	assert_non_null(strstr(
		text, "Not enough history to say whether this is usual: 1 earlier run, 2 more "
		      "needed.\n"));
	free(text);
}

static void a_lake_without_verdicts_gives_status_and_time(void **state)
{
	shows("{\"run\":{\"name\":\"a\",\"status\":\"running\",\"wall_s\":3,\"ended_at\":null},\"findings\":[]}",
	      "Running for 3.0 s.\n"
	      "Run a  running  took 3.0 s\n"
	      "\n"
	      "Findings: none (no task requests CPUs or memory to compare its use with)\n"
	      "\n"
	      "WHERE TIME WENT           TIME                             WAITS MOSTLY ON\n"
	      "The run                      –                             –\n");
}

static void tools_that_failed_stand_in_the_status(void **state)
{
	shows("{\"run\":{\"name\":\"a\",\"status\":\"succeeded\"},\"asked\":true,"
	      "\"verdict\":{\"text\":\"\",\"failed_tools\":3},\"totals\":{\"wall_computing_ns\":2e9},"
	      "\"steps\":[],\"tools\":[{\"name\":\"bwa\",\"failed\":1,\"wall_computing_ns\":2e9},"
	      "{\"name\":\"seq\",\"failed\":1,\"wall_computing_ns\":1e6}],"
	      "\"losses\":[{\"what\":\"exec\",\"count\":12,\"why\":\"ring full\"},{\"what\":\"exit\"}]}",
	      "Succeeded, 3 failed\n"
	      "Run a  succeeded, 3 failed\n"
	      "! missing: 12 exec records (ring full) and 1 more (--full)\n"
	      "\n"
	      "Findings: none\n"
	      "\n"
	      "WHERE TIME WENT           TIME                             WAITS MOSTLY ON\n"
	      "The run                  2.0 s  █████████████████████████  nothing\n"
	      "  bwa                    2.0 s  █████████████████████████  nothing\n"
	      "  … and 1 more tool: `tracer report --full`\n"
	      "█ computing\n");
}

/* Everything at its longest: many of each, wide and hostile names. */
static void add_history(json_t *document, const char *step)
{
	json_object_set_new(document, "expected",
			    json_pack("{s:i, s:{s:f, s:f, s:f, s:f}, s:[{s:s, s:s}, {s:s, s:s}]}",
				      "runs", 50, "run", "progress", 0.5, "remaining_s", 1e9,
				      "remaining_low_s", 1e8, "remaining_high_s", 1e10, "steps",
				      "step", step, "usual", "not as usual", "step", step, "usual",
				      "not as usual"));
	json_object_set_new(document, "sizes",
			    json_pack("{s:[{s:s, s:i, s:b, s:f, s:f, s:f, s:f, s:f}]}", "steps",
				      "step", step, "tasks", 9, "memory_enough", 1,
				      "memory_requested_bytes", 1e12, "memory_advised_bytes", 1e9,
				      "memory_highest_bytes", 5e8, "wasted_now_gb_h", 1000.0,
				      "wasted_then_gb_h", 1.0));
}

static json_t *large(size_t findings, size_t steps, const char *name)
{
	static const char *const classes[] = {
		"wall_computing_ns", "wall_runnable_ns",  "wall_disk_ns",       "wall_paging_ns",
		"wall_network_ns",   "wall_pipe_read_ns", "wall_pipe_write_ns", "wall_lock_ns",
		"wall_poll_ns",      "wall_other_ns",     "wall_child_ns",      "wall_sleep_ns",
		"wall_unknown_ns",   "threads_ns",
	};
	json_t *figures = json_pack("{s:s, s:i}", "name", name, "failed", 1);
	json_t *finding = json_pack("{s:s, s:s, s:s, s:s, s:f}", "severity", "critical", "subject",
				    name, "summary", name, "advice", name, "saves_s", 90.0);
	json_t *document = json_pack(
		"{s:{s:s, s:s, s:s, s:s, s:s, s:f, s:[s]}, s:{s:f, s:f}, s:{s:s}, s:[{s:s, s:s}, "
		"{s:s, s:s}], s:[], s:[], s:{s:O, s:O}}",
		"run", "name", name, "status", "failed", "engine", name, "pipeline", name, "user",
		name, "wall_s", 1e9, "hosts", name, "totals", "cost_usd", 1e9, "rss_peak_bytes",
		1e18, "verdict", "text", name, "losses", "what", name, "why", name, "what", name,
		"why", name, "findings", "steps", "shares", "tasks", figures, "engine", figures);

	add_history(document, name);
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		json_object_set_new(figures, classes[i], json_integer(INT64_C(1000000000)));
	for (size_t i = 0; i < findings; i++)
		json_array_append(json_object_get(document, "findings"), finding);
	for (size_t i = 0; i < steps; i++)
		json_array_append(json_object_get(document, "steps"), figures);
	json_decref(figures);
	json_decref(finding);
	return document;
}

static void fits(json_t *document, size_t width, size_t height)
{
	char *text = screen_of(document);
	size_t lines = 0;

	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
		*end = '\0';
		if (columns_of(line) > width)
			fail_msg("wider than %zu: %s", width, line);
	}
	if (lines <= 4 || lines > height)
		fail_msg("%zu lines of %zu:\n%s", lines, height, text);
	free(text);
}

static void it_fits_the_screen_whatever_is_in_it(void **state)
{
	static const char *const names[] = {
		"a",
		"漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
		"\n\033[2J\u202e\t and a sentence that goes on and on, far over the end of any line, and then "
		"on and on, again, so that it needs many lines, and then some more of them, "
		"until it has no room, anywhere at all, and has to be cut at some place, "
		"which had better not be in the middle of a character, nor of a sequence, "
		"and so it goes on and on and on and on and on and on, over nine lines",
	};
	static const size_t counts[] = { 0, 1, 2, 7, 40, 3000 };
	const size_t kinds = sizeof(counts) / sizeof(*counts);

	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
		for (size_t i = 0; i < kinds * kinds; i++)
			fits(large(counts[i / kinds], counts[i % kinds], names[n]), 80, 23);
}

static void a_terminal_of_another_size_is_used(void **state)
{
	static const struct {
		const char *columns, *lines;
		size_t width, height;
	} rows[] = { { "60", "24", 60, 23 },      { "50", "24", 50, 23 }, { "200", "24", 100, 23 },
		     { "1", "1", 50, 23 },        { "80", "60", 80, 59 }, { "-5", "x", 80, 23 },
		     { "99999", "99999", 80, 23 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		setenv("COLUMNS", rows[i].columns, 1);
		setenv("LINES", rows[i].lines, 1);
		fits(large(40, 40, "a name of several words, somewhat long"), rows[i].width,
		     rows[i].height);
	}
	unsetenv("COLUMNS");
	unsetenv("LINES");
}

static void what_has_no_room_is_counted(void **state)
{
	char *text = screen_of(large(12, 20, "some name"));

	assert_non_null(strstr(text, "  … and 9 more: `tracer tune`\n"));
	assert_non_null(strstr(text, "  … and 19 more steps: `tracer report --full`\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_screen_has_verdict_facts_findings_and_bars),
		cmocka_unit_test(what_the_history_says_has_a_line_each),
		cmocka_unit_test(without_history_it_says_how_much_is_missing),
		cmocka_unit_test(a_lake_without_verdicts_gives_status_and_time),
		cmocka_unit_test(tools_that_failed_stand_in_the_status),
		cmocka_unit_test(it_fits_the_screen_whatever_is_in_it),
		cmocka_unit_test(a_terminal_of_another_size_is_used),
		cmocka_unit_test(what_has_no_room_is_counted),
	};

	unsetenv("COLUMNS");
	unsetenv("LINES");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
