/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <pty.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cli/report/finding.h"
#include "cli/terminal/print.h"

static void shows(const char *object_text, enum format format, const char *expected)
{
	json_t *object = json_loads(object_text, 0, NULL);
	struct column column = { "x", "X", format, 0 };
	struct buffer out;

	assert_non_null(object);
	buffer_init(&out, 0);
	print_value(&out, object, &column);
	assert_string_equal(out.data, expected);
	buffer_clear(&out);
	json_decref(object);
}

static void what_is_unknown_is_a_dash_and_never_zero(void **state)
{
	for (enum format format = FORMAT_TEXT; format <= FORMAT_END; format++) {
		shows("{\"x\":null}", format, "–");
		shows("{}", format, "–");
	}
	shows("{\"x\":0}", FORMAT_BYTES, "0 B");
}

static void figures_have_the_units_of_people(void **state)
{
	shows("{\"x\":1234567}", FORMAT_COUNT, "1,234,567");
	shows("{\"x\":123}", FORMAT_COUNT, "123");
	shows("{\"x\":1610612736}", FORMAT_BYTES, "1.5 GiB");
	shows("{\"x\":184.2}", FORMAT_SECONDS, "3m 04s");
	shows("{\"user_ns\":1500000000,\"kernel_ns\":500000000}", FORMAT_CPU_NS, "2.0 s");
	shows("{\"x\":0.0012346}", FORMAT_USD, "$0.001235");
	shows("{\"x\":12.5}", FORMAT_USD, "$12.50");
	shows("{\"x\":0.0000004}", FORMAT_USD, "<$0.000001");
	shows("{\"x\":0}", FORMAT_USD, "$0.000000");
	shows("{\"x\":\"<$0.01\"}", FORMAT_FIGURE, "<$0.01");
	shows("{\"x\":[\"a\",\"b\"]}", FORMAT_LIST, "a, b");
	shows("{\"x\":[\"bwa\",\"mem\",\"-t\",\"4\"]}", FORMAT_COMMAND, "bwa mem -t 4");
}

static void an_end_is_a_code_or_a_signal_and_unknown_while_it_runs(void **state)
{
	shows("{\"exit_code\":3,\"signal\":0,\"ended_at\":\"x\"}", FORMAT_END, "3");
	shows("{\"exit_code\":0,\"signal\":9,\"ended_at\":\"x\"}", FORMAT_END, "SIGKILL");
	shows("{\"exit_code\":0,\"signal\":0,\"ended_at\":null}", FORMAT_END, "–");
}

static void a_bar_is_of_the_whole_object_and_a_dash_where_nobody_counted(void **state)
{
	shows("{\"user_ns\":3e9,\"disk_ns\":1e9,\"child_ns\":9e9,\"threads_ns\":13e9}", FORMAT_BAR,
	      "████████████DDDD");
	shows("{\"user_ns\":3e9,\"threads_ns\":null}", FORMAT_BAR, "–");
}

static void hostile_names_cannot_move_the_cursor(void **state)
{
	shows("{\"x\":\"a\\u001b[2Jb\\nc\"}", FORMAT_TEXT, "a?[2Jb?c");
}

static void prints(const char *text, const char *expected)
{
	char *shown = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&shown, &size);

	print_text(out, text);
	fclose(out);
	assert_string_equal(shown, expected);
	free(shown);
}

static void what_a_terminal_would_obey_becomes_a_question_mark(void **state)
{
	static const struct {
		const char *text, *shown;
	} rows[] = {
		{ "", "" },
		{ "plain é – 漢 😀", "plain é – 漢 😀" },
		{ "a\033[31mb\tc\rd\ne", "a?[31mb?c?d?e" },
		{ "a\x7f"
		  "b",
		  "a?b" },
		{ "a\xc2\x80"
		  "b\xc2\x9f"
		  "c",
		  "a?b?c" },
		{ "\xc2\x9b"
		  "2J",
		  "?2J" },
		{ "\xc2\xa0", "\xc2\xa0" },
		/* NOLINTNEXTLINE(misc-misleading-bidirectional): what it is about */
		{ "\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf",
		  "\xe2\x80\xa9??\xe2\x80\xaf" },
		{ "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa",
		  "\xe2\x81\xa5??\xe2\x81\xaa" },
		{ "\x9b"
		  "2J",
		  "?2J" },
		{ "cut \xe2\x80", "cut ??" },
		{ "\xc0\x9b", "??" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		prints(rows[i].text, rows[i].shown);
}

static void a_hostile_finding_is_shown_safely(void **state)
{
	json_t *findings = json_loads("[{\"severity\":\"warning\",\"subject\":\"s\\u009b\","
				      "\"summary\":\"m\\u202e\",\"advice\":\"a\\u001b\"}]",
				      0, NULL);
	char *shown = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&shown, &size);

	finding_print(out, findings, true);
	fclose(out);
	assert_string_equal(shown, "Findings\n  ! s?: m?\n    → a?\n");
	free(shown);
	json_decref(findings);
}

static void a_success_in_which_tools_failed_is_never_plain(void **state)
{
	static const struct {
		const char *object, *words, *colour;
	} rows[] = {
		{ "{\"status\":\"succeeded\"}", "succeeded", "32" },
		{ "{\"status\":\"succeeded\",\"failed_tools\":null}", "succeeded", "32" },
		{ "{\"status\":\"succeeded\",\"failed_tools\":0}", "succeeded", "32" },
		{ "{\"status\":\"succeeded\",\"failed_tools\":3}", "succeeded, 3 failed", "33" },
		{ "{\"status\":\"failed\",\"failed_tools\":3}", "failed", "31" },
		{ "{\"status\":\"failed\\u001b[2J\"}", "failed?[2J", NULL },
		{ "{}", "unknown", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		json_t *object = json_loads(rows[i].object, 0, NULL);
		const char *colour;
		struct buffer out;

		buffer_init(&out, 0);
		print_status_words(&out, object);
		colour = print_status_colour(out.data);
		assert_string_equal(out.data, rows[i].words);
		assert_string_equal(colour ? colour : "", rows[i].colour ? rows[i].colour : "");
		buffer_clear(&out);
		json_decref(object);
	}
}

static void a_table_for_no_terminal_is_aligned_and_whole(void **state)
{
	static const struct column columns[] = { { "name", "NAME", FORMAT_TEXT, 6 },
						 { "n", "N", FORMAT_COUNT, 0 } };
	json_t *rows = json_loads("[{\"name\":\"abcdefghij\",\"n\":5},{\"name\":\"é\",\"n\":1000},"
				  "{\"name\":\"1234567\",\"n\":1}]",
				  0, NULL);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	print_table(out, rows, columns, 2);
	fclose(out);
	assert_string_equal(text, "NAME            N\n"
				  "abcdefghij      5\n"
				  "é           1,000\n"
				  "1234567         1\n");
	free(text);
	json_decref(rows);
}

/* What print_table shows on a terminal as wide; the caller's (free). */
static char *on_terminal(unsigned short width, const char *rows_text, const struct column *columns,
			 size_t count)
{
	struct winsize size = { .ws_row = 24, .ws_col = width };
	json_t *rows = json_loads(rows_text, 0, NULL);
	char *text = calloc(1, 4096);
	int master, slave;
	FILE *out;
	ssize_t len;

	assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
	out = fdopen(slave, "w");
	assert_int_equal(print_width(out), width);
	print_table(out, rows, columns, count);
	fputs("end", out);
	fflush(out);
	for (size_t at = 0; !strstr(text, "end"); at += (size_t)len) {
		len = read(master, text + at, 4095 - at);
		assert_true(len > 0);
	}
	fclose(out);
	close(master);
	json_decref(rows);
	return text;
}

static void a_table_is_as_wide_as_the_terminal_and_says_what_it_left_out(void **state)
{
	static const struct column columns[] = { { "name", "NAME", FORMAT_TEXT, 40 },
						 { "n", "FIRST", FORMAT_COUNT, 0 },
						 { "n", "SECOND", FORMAT_COUNT, 0 } };
	static const char rows[] = "[{\"name\":\"abcdefghijklmnopqrstuvwxyz\",\"n\":5}]";
	char *wide = on_terminal(80, rows, columns, 3), *narrow = on_terminal(32, rows, columns, 3),
	     *least = on_terminal(24, rows, columns, 3), *tiny = on_terminal(16, rows, columns, 3);

	assert_string_equal(wide, "NAME                        FIRST  SECOND\r\n"
				  "abcdefghijklmnopqrstuvwxyz      5       5\r\nend");
	assert_string_equal(narrow, "NAME               FIRST  SECOND\r\n"
				    "abcdefghijklmnop…      5       5\r\nend");
	assert_string_equal(least, "NAME               FIRST\r\n"
				   "abcdefghijklmnop…      5\r\n"
				   "(no room for SECOND)\r\nend");
	assert_string_equal(tiny, "NAME\r\n"
				  "abcdefghijklmno…\r\n"
				  "(no room for\r\n"
				  " FIRST, SECOND)\r\nend");
	free(wide);
	free(narrow);
	free(least);
	free(tiny);
}

static void a_terminal_s_table_cuts_texts_at_their_columns_limits(void **state)
{
	static const struct column columns[] = { { "name", "NAME", FORMAT_TEXT, 6 },
						 { "n", "N", FORMAT_COUNT, 0 } };
	char *text = on_terminal(
		80, "[{\"name\":\"abcdefghij\",\"n\":5},{\"name\":\"é\",\"n\":1000}]", columns, 2);

	assert_string_equal(text, "NAME        N\r\nabcde…      5\r\né       1,000\r\nend");
	free(text);
}

static void a_sentence_is_never_cut(void **state)
{
	static const struct column columns[] = { { "n", "N", FORMAT_COUNT, 0 },
						 { "what", "WHAT", FORMAT_SENTENCE, 0 } };
	char *text = on_terminal(10, "[{\"n\":1,\"what\":\"it was killed by bash\"}]", columns, 2);

	assert_string_equal(text, "N  WHAT\r\n1  it was killed by bash\r\nend");
	free(text);
}

static void a_phrase_keeps_more_columns_than_a_name(void **state)
{
	static const struct column columns[] = { { "name", "NAME", FORMAT_TEXT, 40 },
						 { "status", "STATUS", FORMAT_STATUS, 0 },
						 { "words", "WORDS", FORMAT_PHRASE, 60 },
						 { "n", "N", FORMAT_COUNT, 0 } };
	char *text = NULL;

	unsetenv("NO_COLOR");
	text = on_terminal(
		61,
		"[{\"name\":\"abcdefghijklmnopqrstuvwxyz\",\"status\":\"failed\",\"n\":5,"
		"\"words\":\"a sentence of more than thirty-two columns\"}]",
		columns, 4);
	assert_string_equal(
		text,
		"NAME              STATUS  WORDS                             N\r\n"
		"abcdefghijklmno…  \033[31mfailed\033[0m  a sentence of more than thirty-…  5\r\nend");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_unknown_is_a_dash_and_never_zero),
		cmocka_unit_test(figures_have_the_units_of_people),
		cmocka_unit_test(an_end_is_a_code_or_a_signal_and_unknown_while_it_runs),
		cmocka_unit_test(a_bar_is_of_the_whole_object_and_a_dash_where_nobody_counted),
		cmocka_unit_test(hostile_names_cannot_move_the_cursor),
		cmocka_unit_test(what_a_terminal_would_obey_becomes_a_question_mark),
		cmocka_unit_test(a_hostile_finding_is_shown_safely),
		cmocka_unit_test(a_success_in_which_tools_failed_is_never_plain),
		cmocka_unit_test(a_phrase_keeps_more_columns_than_a_name),
		cmocka_unit_test(a_table_for_no_terminal_is_aligned_and_whole),
		cmocka_unit_test(a_terminal_s_table_cuts_texts_at_their_columns_limits),
		cmocka_unit_test(a_table_is_as_wide_as_the_terminal_and_says_what_it_left_out),
		cmocka_unit_test(a_sentence_is_never_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
