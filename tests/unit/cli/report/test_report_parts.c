/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/report/report_dataflow.h"
#include "cli/report/report_files.h"
#include "cli/report/report_io.h"
#include "cli/report/report_network.h"
#include "cli/report/report_syscalls.h"

static json_t *rows_of(const char *text)
{
	json_t *rows = json_loads(text, 0, NULL);

	assert_non_null(rows);
	return rows;
}

static void says_of_network(const char *rows_text, const char *expected)
{
	json_t *rows = rows_of(rows_text);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	report_network(out, rows);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(rows);
}

static void says_of_files(json_t *rows, bool complete, const char *expected)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	report_files(out, rows, complete);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(rows);
}

static void says_of_syscalls(const char *rows_text, const char *expected)
{
	json_t *rows = rows_of(rows_text);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	report_syscalls(out, rows);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(rows);
}

static void says_of_dataflow(json_t *dataflow, const char *expected)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	report_dataflow(out, dataflow);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(dataflow);
}

static json_t *dataflow_of(const char *links)
{
	return json_pack("{s:b, s:{s:f, s:f, s:f, s:f, s:f, s:o}}", "complete", 1, "critical_path",
			 "wall_s", 100.0, "before_s", 1.0, "waiting_s", 30.0, "running_s", 67.0,
			 "after_s", 2.0, "links", rows_of(links));
}

static void the_critical_path_is_a_table_that_adds_up_to_the_run(void **state)
{
	says_of_dataflow(
		dataflow_of("[{\"name\":\"index\\u001b\",\"waiting_s\":0,\"running_s\":7,"
			    "\"ready_at\":null,\"path\":null},"
			    "{\"name\":\"align\",\"waiting_s\":30,\"running_s\":60,"
			    "\"ready_at\":\"2026-01-01T00:00:00Z\",\"path\":\"/data/x.fa\"}]"),
		"\n"
		"Along the critical path 1m 07s running + 30.0 s waiting with the input there + "
		"1.0 s before it + 2.0 s after it = 1m 40s, the run.\n"
		"CRITICAL PATH  WAITED     RAN  OF THE RUN  WHERE IT WENT  WAITS MOSTLY ON  FED BY\n"
		"index?              –   7.0 s  7 %         –              –                –\n"
		"align          30.0 s  1m 00s  90 %        –              –                x.fa\n");
}

/* Four classes, of which the smallest is not named. */
static void the_running_time_of_the_path_is_told_in_classes(void **state)
{
	json_t *dataflow = dataflow_of("[{\"name\":\"index\",\"waiting_s\":0,\"running_s\":7,"
				       "\"wall_disk_ns\":7000000000},"
				       "{\"name\":\"align\",\"waiting_s\":30,\"running_s\":60,"
				       "\"wall_computing_ns\":15000000000,"
				       "\"wall_runnable_ns\":45000000000}]");
	json_t *path = json_object_get(dataflow, "critical_path");

	json_object_update_new(path, json_pack("{s:f, s:f, s:f, s:f, s:f}", "wall_computing_ns",
					       14e9, "wall_runnable_ns", 45e9, "wall_disk_ns", 7e9,
					       "wall_unknown_ns", 1e9, "wall_assumed_ns", 5e9));
	says_of_dataflow(
		dataflow,
		"\n"
		"Along the critical path 1m 07s running (computing 21 %, waiting for a free CPU "
		"67 %, reading or writing disk 10 %) + 30.0 s waiting with the input there + "
		"1.0 s before it + 2.0 s after it = 1m 40s, the run.\n"
		"Up to 5.0 s of the running time may be in a wrong class.\n"
		"CRITICAL PATH  WAITED     RAN  OF THE RUN  WHERE IT WENT     WAITS MOSTLY ON  FED BY\n"
		"index               –   7.0 s  7 %         DDDDDDDDDDDDDDDD  disk 100 %       –\n"
		"align               –  1m 00s  90 %        ████░░░░░░░░░░░░  a free CPU 75 %  –\n");
}

static void a_path_of_one_task_is_no_news(void **state)
{
	says_of_dataflow(dataflow_of("[{\"name\":\"a\",\"waiting_s\":0,\"running_s\":7}]"), "");
	says_of_dataflow(rows_of("{\"critical_path\":null}"), "");
	says_of_dataflow(rows_of("{}"), "");
}

static void of_a_long_path_what_took_longest_is_shown_in_its_order(void **state)
{
	json_t *links = json_array(), *dataflow = dataflow_of("[]");
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (int i = 0; i < 30; i++)
		json_array_append_new(links, json_pack("{s:s+, s:i, s:i}", "name", "task-",
						       i % 2 ? "long" : "short", "waiting_s", 0,
						       "running_s", i % 2 ? 5 : 1));
	json_object_set_new(json_object_get(dataflow, "critical_path"), "links", links);
	report_dataflow(out, dataflow);
	fclose(out);
	assert_non_null(strstr(text, "and 10 more, 10.0 s together (--json has them)\n"));
	assert_non_null(strstr(
		text,
		"task-short          –  1.0 s  1 %         –              –                –\n"
		"task-long           –  5.0 s  5 %         –              –                –\n"));
	free(text);
	json_decref(dataflow);
}

static void system_calls_are_summed_by_class_and_their_errors_told(void **state)
{
	says_of_syscalls(
		"[{\"class\":\"read\",\"error\":null,\"calls\":100,\"time_ns\":1000000},"
		"{\"class\":\"read\",\"error\":\"EAGAIN\",\"calls\":7,\"time_ns\":1000000},"
		"{\"class\":\"lock\",\"error\":\"EAGAIN\",\"calls\":3,\"time_ns\":5000000},"
		"{\"class\":\"new\\u001b\",\"error\":\"other\",\"calls\":1,\"time_ns\":null},"
		"{\"class\":\"open\",\"error\":\"E\\u001b\",\"calls\":2,\"time_ns\":9}]",
		"\n"
		"SYSTEM CALLS   CALLS  FAILED  TIME IN THEM\n"
		"locks (futex)      3       3          5 ms\n"
		"read             107       7          2 ms\n"
		"open, close        2       2          9 ns\n"
		"new?               1       1             –\n"
		"Failed system calls: 10 EAGAIN, 2 E?, 1 of other kinds.\n");
}

static void of_many_errors_the_most_frequent_are_told(void **state)
{
	json_t *rows = json_array();
	char error[8], *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (int i = 1; i <= 10; i++) {
		snprintf(error, sizeof(error), "E%d", i);
		json_array_append_new(rows, json_pack("{s:s, s:s, s:i, s:i}", "class", "read",
						      "error", error, "calls", i, "time_ns", 1));
	}
	report_syscalls(out, rows);
	fclose(out);
	assert_non_null(strstr(text, "\nFailed system calls: 10 E10, 9 E9, 8 E8, 7 E7, 6 E6, 5 E5, "
				     "4 E4, 3 E3, and 3 more (--json has them).\n"));
	free(text);
	json_decref(rows);
}

static void says_of_io(const char *rows_text, const char *expected)
{
	json_t *rows = rows_of(rows_text);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	report_io(out, rows);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(rows);
}

static void disks_are_summed_and_their_times_drawn(void **state)
{
	says_of_io(
		"[{\"device\":\"vda\",\"operation\":\"read\",\"requests\":98,\"bytes\":1024,"
		"\"failures\":0,\"unfinished\":0,\"latency_ns\":98000,"
		"\"latencies\":[98,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},"
		"{\"device\":\"vda\",\"operation\":\"read\",\"requests\":2,\"bytes\":1024,"
		"\"failures\":1,\"unfinished\":3,\"latency_ns\":2000000,"
		"\"latencies\":[0,0,0,0,0,0,0,0,0,0,2]},"
		"{\"device\":null,\"operation\":\"other\\u001b\",\"requests\":1,\"bytes\":0,"
		"\"failures\":0,\"unfinished\":0,\"latency_ns\":5000000000,"
		"\"latencies\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]}]",
		"\n"
		"DISK            REQUESTS    BYTES   MEAN  99 % WITHIN  FAILED  UNFINISHED  1 µs … 4 s\n"
		"no disk other?         1      0 B  5.0 s            –       0           0  ·······················█\n"
		"vda read             100  2.0 KiB  20 µs         1 ms       1           3  █·········▁·············\n");
	says_of_io("[]", "");
}

static void the_network_is_summed_by_protocol_the_busiest_first(void **state)
{
	says_of_network(
		"[{\"family\":\"inet\",\"protocol\":\"tcp\",\"loopback\":false,\"rx_bytes\":1024,"
		"\"tx_bytes\":1,\"connects\":2,\"connect_ns\":3000000,\"accepts\":0,"
		"\"connect_failures\":1,\"resets\":0,\"retransmits\":0},"
		"{\"family\":\"unix\",\"protocol\":\"stream\",\"rx_bytes\":9,\"tx_bytes\":null},"
		"{\"family\":\"inet\",\"protocol\":\"tcp\",\"loopback\":false,\"rx_bytes\":1024,"
		"\"tx_bytes\":1,\"connects\":1,\"connect_ns\":3000000,\"accepts\":0,"
		"\"connect_failures\":0,\"resets\":0,\"retransmits\":4},"
		"{\"family\":\"inet6\",\"protocol\":\"udp\\u001b\",\"loopback\":true,"
		"\"rx_bytes\":5000,\"tx_bytes\":1}]",
		"\n"
		"NETWORK                      RECEIVED  SENT  CONNECTED  ACCEPTED  FAILED  RESET  "
		"SENT AGAIN  TO CONNECT\n"
		"UDP? (IPv6) within the host   4.9 KiB   1 B          –         –       –      –  "
		"         –           –\n"
		"TCP with other hosts          2.0 KiB   2 B          3         0       1      0  "
		"         4        2 ms\n"
		"UNIX stream                       9 B     –          –         –       –      –  "
		"         –           –\n");
}

static void without_sockets_there_is_no_section(void **state)
{
	says_of_network("[]", "");
	says_of_files(json_array(), true, "");
	says_of_syscalls("[]", "");
}

static void a_file_is_one_line_whoever_used_it(void **state)
{
	says_of_files(
		rows_of("[{\"kind\":\"file\",\"path\":\"/d/a\",\"moved_bytes\":10,\"opens\":1,"
			"\"failures\":0,\"reads\":true,\"writes\":false,\"mapped\":false},"
			"{\"kind\":\"file\",\"path\":\"/d/b\\u001b\",\"moved_bytes\":2048,\"opens\":2,"
			"\"failures\":0,\"reads\":false,\"writes\":false,\"mapped\":true},"
			"{\"kind\":\"file\",\"path\":\"/d/a\",\"moved_bytes\":90,\"opens\":1,"
			"\"failures\":0,\"reads\":false,\"writes\":true,\"mapped\":false},"
			"{\"kind\":\"pipe\",\"path\":null,\"moved_bytes\":999999,\"opens\":1},"
			"{\"kind\":\"failed\",\"failures\":3,\"error\":13},"
			"{\"kind\":\"failed\",\"failures\":4,\"error\":2},"
			"{\"kind\":\"failed\",\"failures\":1,\"error\":1e9},"
			"{\"kind\":\"failed\",\"failures\":9,\"error\":2}]"),
		true,
		"\n"
		"FILE   HOW            READ OR WRITTEN  OPENED\n"
		"/d/b?  mapped                 2.0 KiB       2\n"
		"/d/a   read, written            100 B       2\n"
		"Failed opens: 13 ENOENT, 3 EACCES, 1 for an unknown reason.\n");
}

static void of_many_files_the_busiest_are_shown_and_the_rest_is_told(void **state)
{
	json_t *rows = json_array();
	char path[128], expected[4096] = "\nFILE  HOW   READ OR WRITTEN  OPENED\n";

	for (int i = 1; i <= 14; i++) {
		snprintf(path, sizeof(path), "/f%02d", i);
		json_array_append_new(rows,
				      json_pack("{s:s, s:s, s:i, s:i, s:b}", "kind", "file", "path",
						path, "moved_bytes", i, "opens", 1, "reads", 1));
		if (i <= 12)
			snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
				 "/f%02d  read  %15s       1\n", 15 - i,
				 (snprintf(path, sizeof(path), "%d B", 15 - i), path));
	}
	strcat(expected, "and 2 more, of which 3 B were read or written (--json has them)\n"
			 "(of the first 14 uses)\n");
	says_of_files(rows, false, expected);
}

static void a_long_path_is_whole_where_no_terminal_reads_it(void **state)
{
	char path[201] = "", expected[500];
	json_t *row;

	for (int i = 0; i < 100; i++)
		strcat(path, "é");
	row = json_pack("[{s:s, s:s, s:i, s:i}]", "kind", "file", "path", path, "moved_bytes", 1,
			"opens", 1);
	snprintf(expected, sizeof(expected),
		 "\n%-100s  HOW  READ OR WRITTEN  OPENED\n%s  –                1 B       1\n",
		 "FILE", path);
	says_of_files(row, true, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_network_is_summed_by_protocol_the_busiest_first),
		cmocka_unit_test(disks_are_summed_and_their_times_drawn),
		cmocka_unit_test(the_critical_path_is_a_table_that_adds_up_to_the_run),
		cmocka_unit_test(the_running_time_of_the_path_is_told_in_classes),
		cmocka_unit_test(a_path_of_one_task_is_no_news),
		cmocka_unit_test(of_a_long_path_what_took_longest_is_shown_in_its_order),
		cmocka_unit_test(system_calls_are_summed_by_class_and_their_errors_told),
		cmocka_unit_test(of_many_errors_the_most_frequent_are_told),
		cmocka_unit_test(without_sockets_there_is_no_section),
		cmocka_unit_test(a_file_is_one_line_whoever_used_it),
		cmocka_unit_test(of_many_files_the_busiest_are_shown_and_the_rest_is_told),
		cmocka_unit_test(a_long_path_is_whole_where_no_terminal_reads_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
