/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <pty.h>
#include <unistd.h>
#include <cmocka.h>

#include "cli/report/report_times.h"
#include "cli/terminal/times.h"

static struct times times_of(const char *text)
{
	json_t *figures = json_loads(text, 0, NULL);
	struct times times = { 0 };

	assert_non_null(figures);
	times_add(&times, figures);
	json_decref(figures);
	return times;
}

static void draws(const char *figures, size_t width, const char *expected)
{
	struct times times = times_of(figures);
	struct buffer out;

	buffer_init(&out, 0);
	times_bar(&out, &times, width, false);
	assert_string_equal(out.data, expected);
	buffer_clear(&out);
}

static void waits(const char *figures, const char *expected)
{
	struct times times = times_of(figures);
	struct buffer out;

	buffer_init(&out, 0);
	times_wait(&out, &times);
	assert_string_equal(out.data, expected);
	buffer_clear(&out);
}

static void a_bar_has_a_sign_for_each_state_in_the_measure_of_its_time(void **state)
{
	draws("{\"user_ns\":50,\"disk_ns\":30,\"pipe_read_ns\":20,\"threads_ns\":100}", 10,
	      "█████DDD<<");
	draws("{\"user_ns\":1,\"kernel_ns\":1,\"runnable_ns\":1,\"disk_ns\":1,\"paging_ns\":1,"
	      "\"network_ns\":1,\"pipe_read_ns\":1,\"pipe_write_ns\":1,\"lock_ns\":1,\"poll_ns\":1,"
	      "\"other_ns\":1,\"threads_ns\":11}",
	      11, "█▓░DPN<>LEO");
}

static void a_bar_is_as_wide_as_asked_whatever_is_rounded(void **state)
{
	draws("{\"user_ns\":1,\"disk_ns\":1,\"lock_ns\":1,\"threads_ns\":3}", 10, "████DDDLLL");
	draws("{\"user_ns\":999,\"disk_ns\":1,\"threads_ns\":1000}", 4, "████");
	draws("{\"user_ns\":1152921504606846976,\"disk_ns\":1152921504606846976,"
	      "\"threads_ns\":2305843009213693952}",
	      3, "██D");
}

static void what_is_of_no_bar_is_blank(void **state)
{
	draws("{\"child_ns\":7,\"threads_ns\":7}", 5, "     ");
	draws("{\"user_ns\":7}", 5, "     ");
	draws("{\"user_ns\":-7,\"disk_ns\":\"x\",\"lock_ns\":null,\"threads_ns\":5,\"poll_ns\":5}",
	      5, "EEEEE");
}

static void children_and_sleep_beside_work_are_left_out(void **state)
{
	draws("{\"user_ns\":1,\"child_ns\":900,\"sleep_ns\":1,\"threads_ns\":902}", 3, "███");
	draws("{\"user_ns\":1,\"child_ns\":900,\"sleep_ns\":2,\"threads_ns\":903}", 3, "█SS");
	draws("{\"sleep_ns\":2,\"threads_ns\":2}", 3, "SSS");
}

static void what_no_state_explains_is_shown_from_two_per_cent_on(void **state)
{
	draws("{\"user_ns\":90,\"threads_ns\":100}", 10, "█████████?");
	draws("{\"user_ns\":98,\"threads_ns\":100}", 50,
	      "██████████████████████████████████████████████████");
	draws("{\"user_ns\":104,\"threads_ns\":100}", 2, "██");
}

static void the_largest_wait_is_named_with_its_share(void **state)
{
	waits("{\"user_ns\":50,\"disk_ns\":43,\"lock_ns\":7,\"threads_ns\":100}", "disk 43 %");
	waits("{\"user_ns\":9990,\"network_ns\":10,\"threads_ns\":10000}", "network < 1 %");
	waits("{\"user_ns\":60,\"runnable_ns\":40,\"threads_ns\":100}", "a CPU 40 %");
	waits("{\"pipe_write_ns\":4,\"child_ns\":99,\"threads_ns\":103}", "pipe downstream 100 %");
	waits("{\"user_ns\":1,\"sleep_ns\":4,\"threads_ns\":5}", "sleeping 80 %");
}

static void never_waiting_is_not_the_same_as_unknown(void **state)
{
	waits("{\"user_ns\":9,\"kernel_ns\":1,\"threads_ns\":10}", "nothing");
	waits("{\"user_ns\":9,\"kernel_ns\":1}", "–");
	waits("{\"user_ns\":9,\"disk_ns\":9,\"threads_ns\":null}", "–");
}

static void colours_do_not_change_the_signs(void **state)
{
	struct times times = times_of("{\"user_ns\":1,\"disk_ns\":1,\"threads_ns\":2}");
	struct buffer out;

	buffer_init(&out, 0);
	times_bar(&out, &times, 4, true);
	assert_string_equal(out.data, "\033[34m██\033[0m\033[31mDD\033[0m");
	buffer_clear(&out);
}

static void reports(const char *document_text, const char *expected)
{
	json_t *document = json_loads(document_text, 0, NULL);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(document);
	report_times(out, document);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(document);
}

static void the_report_tells_tasks_from_the_engine_and_leaves_out_what_is_small(void **state)
{
	reports("{\"shares\":{\"tasks\":{\"user_ns\":3001e6,\"disk_ns\":1e9,\"child_ns\":5e9,"
		"\"threads_ns\":9001e6,\"work_ns\":4001e6},"
		"\"engine\":{\"user_ns\":999e6,\"lock_ns\":15e9,\"child_ns\":15e9,"
		"\"threads_ns\":30999e6,\"work_ns\":15999e6}},"
		"\"steps\":[{\"name\":\"a step of a name that is long\",\"user_ns\":3e9,"
		"\"disk_ns\":1e9,\"child_ns\":5e9,\"threads_ns\":9e9,\"work_ns\":4e9},"
		"{\"name\":\"\\u001b[2J\",\"user_ns\":1e6,\"threads_ns\":1e6,\"work_ns\":1e6}],"
		"\"tools\":[{\"name\":\"bwa\",\"user_ns\":3e9,\"threads_ns\":3e9,\"work_ns\":3e9},"
		"{\"name\":\"dd\",\"disk_ns\":1e9,\"threads_ns\":1e9,\"work_ns\":1e9}]}",
		"WHERE TIME WENT                      TIME                             WAITS MOSTLY ON\n"
		"The run: all tasks                  4.0 s  ███████████████████DDDDDD  disk 25 %\n"
		"The engine itself                  15.9 s  ██LLLLLLLLLLLLLLLLLLLLLLL  locks 94 %\n"
		"Steps\n"
		"  a step of a name that is long     4.0 s  ███████████████████DDDDDD  disk 25 %\n"
		"  and 1 of less than 1 % of that time\n"
		"Tools\n"
		"  bwa                               3.0 s  █████████████████████████  nothing\n"
		"  dd                                1.0 s  DDDDDDDDDDDDDDDDDDDDDDDDD  disk 100 %\n"
		"\n"
		"█ computing 75 %  D disk 25 %  L locks 0 %\n"
		"Not in that bar: waiting for children 5.0 s (all tasks).\n");
}

static void a_report_of_an_old_agent_says_that_nobody_knows(void **state)
{
	reports("{\"totals\":{\"user_ns\":4e9},\"steps\":[],\"tools\":[]}",
		"WHERE TIME WENT           TIME                             WAITS MOSTLY ON\n"
		"The run                      –                             –\n");
}

/* What the thread of a pool waits for is no part of it. */
static void wall_time_is_shown_where_it_is_known(void **state)
{
	static const char document[] =
		"{\"totals\":{\"user_ns\":3e9,\"lock_ns\":90e9,\"threads_ns\":93e9,\"work_ns\":93e9,"
		"\"wall_computing_ns\":3e9,\"wall_child_ns\":5e9,\"wall_unknown_ns\":2e9,"
		"\"wall_serial_ns\":3e9},\"steps\":[],\"tools\":[]}";

	reports(document,
		"WHERE TIME WENT           TIME                             WAITS MOSTLY ON\n"
		"The run                 10.0 s  ████████CCCCCCCCCCCC?????  child 50 %\n"
		"\n"
		"█ computing 30 %  C waiting for a child 50 %  ? not known 20 %\n");
}

static size_t columns_of(const char *line, size_t len)
{
	size_t columns = 0;

	for (size_t i = 0; i < len; i++)
		columns += ((unsigned char)line[i] & 0xc0) != 0x80;
	return columns;
}

static void the_report_fits_eighty_columns(void **state)
{
	static const char *const keys[] = { "user_ns",      "kernel_ns",     "runnable_ns",
					    "disk_ns",      "paging_ns",     "network_ns",
					    "pipe_read_ns", "pipe_write_ns", "lock_ns",
					    "poll_ns",      "other_ns",      "sleep_ns" };
	json_t *row = json_pack("{s:s}", "name", "漢字漢字漢字 é wide enough to be cut"),
	       *document =
		       json_pack("{s:O, s:[O], s:[O]}", "totals", row, "steps", row, "tools", row);
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	size_t lines = 0, len = 0;
	char text[8192];
	int master, slave;
	FILE *out;

	setenv("NO_COLOR", "1", 1);
	assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
	out = fdopen(slave, "w");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		json_object_set_new(row, keys[i], json_integer(INT64_C(9000000000000000)));
	json_object_set_new(row, "threads_ns", json_integer(INT64_C(900000000000000000)));
	json_object_set_new(row, "work_ns", json_integer(INT64_C(108000000000000000)));
	report_times(out, document);
	fputs("end\n", out);
	fflush(out);
	for (text[0] = '\0'; !strstr(text, "end\r\n"); text[len] = '\0')
		len += (size_t)read(master, text + len, sizeof(text) - 1 - len);
	fclose(out);
	close(master);
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, lines++)
		assert_true(columns_of(line, (size_t)(end - line)) <= 80 + 1); /* and \r */
	assert_true(lines > 8);
	json_decref(document);
	json_decref(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bar_has_a_sign_for_each_state_in_the_measure_of_its_time),
		cmocka_unit_test(a_bar_is_as_wide_as_asked_whatever_is_rounded),
		cmocka_unit_test(what_is_of_no_bar_is_blank),
		cmocka_unit_test(children_and_sleep_beside_work_are_left_out),
		cmocka_unit_test(what_no_state_explains_is_shown_from_two_per_cent_on),
		cmocka_unit_test(the_largest_wait_is_named_with_its_share),
		cmocka_unit_test(never_waiting_is_not_the_same_as_unknown),
		cmocka_unit_test(colours_do_not_change_the_signs),
		cmocka_unit_test(
			the_report_tells_tasks_from_the_engine_and_leaves_out_what_is_small),
		cmocka_unit_test(a_report_of_an_old_agent_says_that_nobody_knows),
		cmocka_unit_test(wall_time_is_shown_where_it_is_known),
		cmocka_unit_test(the_report_fits_eighty_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
