/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/report/diff/diff_screen.h"

static void shows(const char *document_text, const char *expected)
{
	json_t *document = json_loads(document_text, 0, NULL);
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(document);
	diff_screen_print(out, document);
	(void)fclose(out);
	json_decref(document);
	assert_string_equal(text, expected);
	free(text);
}

#define RUNS                                                                                          \
	"\"from\":{\"id\":\"a\",\"name\":\"one\",\"status\":\"succeeded\",\"wall_ns\":100000000000}," \
	"\"to\":{\"id\":\"b\",\"name\":\"two\",\"status\":\"succeeded\",\"wall_ns\":140000000000},"

static void parts_are_a_table_that_adds_up(void **state)
{
	shows("{" RUNS
	      "\"summary\":\"40.0 s slower (40 %): ALIGN +35.0 s\",\"difference_ns\":40000000000,\"notes\":[],"
	      "\"engine\":{\"from_ns\":10000000000,\"to_ns\":9000000000,\"difference_ns\":-1000000000},"
	      "\"parts\":["
	      "{\"step\":\"ALIGN\",\"factor\":\"disk\",\"words\":\"reading or writing disk\",\"difference_ns\":5000000000},"
	      "{\"step\":\"ALIGN\",\"factor\":\"serial\",\"words\":\"computing on one CPU\",\"difference_ns\":27000000000},"
	      "{\"step\":\"ALIGN\",\"factor\":\"lock\",\"words\":\"waiting for a lock\",\"difference_ns\":3000000000}],"
	      "\"steps\":["
	      "{\"name\":\"ALIGN\",\"state\":\"both\",\"from_running_ns\":80000000000,\"to_running_ns\":115000000000,"
	      "\"difference_ns\":35000000000,\"reason\":\"probably bwa 2 instead of bwa 1\"},"
	      "{\"name\":\"QC\",\"state\":\"new\",\"to_running_ns\":6000000000,\"difference_ns\":6000000000},"
	      "{\"name\":\"SORT\",\"state\":\"both\",\"from_running_ns\":10000000000,\"to_running_ns\":10000000000,"
	      "\"difference_ns\":0}],"
	      "\"figures\":[{\"step\":\"ALIGN\",\"figure\":\"wall_ns\",\"from_median\":4e10,\"to_median\":8e10,\"change\":\"more\"},"
	      "{\"step\":\"SORT\",\"figure\":\"wall_ns\",\"from_median\":1e10,\"to_median\":1e10,\"change\":\"same\"}],"
	      "\"differs\":[{\"step\":\"ALIGN\",\"fact\":\"tools\",\"words\":\"bwa 2 instead of bwa 1\",\"is_reason\":true},"
	      "{\"step\":\"SORT\",\"fact\":\"host_type\",\"words\":\"large instead of small\",\"is_reason\":false}]}",
	      "40.0 s slower (40 %): ALIGN +35.0 s\n"
	      "From  one  succeeded  began –  took 1m 40s\n"
	      "To    two  succeeded  began –  took 2m 20s\n"
	      "\n"
	      "WHERE THE DIFFERENCE IS                           BEFORE         NOW  DIFFERENCE\n"
	      "  ALIGN                                           1m 20s      1m 55s     +35.0 s\n"
	      "    computing on one CPU                                                 +27.0 s\n"
	      "    reading or writing disk                                               +5.0 s\n"
	      "    all else                                                              +3.0 s\n"
	      "  QC (new)                                           0 s       6.0 s      +6.0 s\n"
	      "  1 other step                                    10.0 s      10.0 s         0 s\n"
	      "  no task: the engine                             10.0 s       9.0 s      -1.0 s\n"
	      "  together                                        1m 40s      2m 20s     +40.0 s\n"
	      "\n"
	      "A TASK OF A STEP (MEDIAN), AND WHAT DIFFERS\n"
	      "  ALIGN: time 1m 20s, before 40.0 s\n"
	      "    → probably bwa 2 instead of bwa 1\n"
	      "  SORT: as long as before\n"
	      "    differs: large instead of small\n");
}

static void runs_that_are_not_timed_have_no_parts(void **state)
{
	shows("{" RUNS
	      "\"summary\":\"a run has not ended: only tasks that have are compared\",\"difference_ns\":null,"
	      "\"notes\":[{\"run_id\":\"b\",\"text\":\"it has not ended\"},"
	      "{\"run_id\":null,\"text\":\"they are runs of different pipelines\"}],"
	      "\"steps\":[],\"parts\":[],\"figures\":[],\"differs\":[]}",
	      "a run has not ended: only tasks that have are compared\n"
	      "From  one  succeeded  began –  took 1m 40s\n"
	      "To    two  succeeded  began –  took 2m 20s\n"
	      "Note: The later run: it has not ended\n"
	      "Note: they are runs of different pipelines\n");
}

/* As many steps as are compared (DIFF_STEPS_MAX), each with figures that changed. */
static void thousands_of_steps_are_counted(void **state)
{
	json_t *document = json_loads("{" RUNS "\"summary\":\"\",\"difference_ns\":null,"
				      "\"steps\":[],\"figures\":[],\"differs\":[]}",
				      0, NULL);
	char *text = NULL, name[16];
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	for (int i = 0; i < 5000; i++) {
		(void)snprintf(name, sizeof(name), "S%d", i);
		json_array_append_new(json_object_get(document, "steps"),
				      json_pack("{s:s}", "name", name));
		for (int k = 0; k < 12; k++)
			json_array_append_new(json_object_get(document, "figures"),
					      json_pack("{s:s,s:s,s:s,s:f,s:f}", "step", name,
							"figure", k ? "cpu_ns" : "wall_ns",
							"change", "more", "from_median", 1e10,
							"to_median", 2e10));
	}
	diff_screen_print(out, document);
	(void)fclose(out);
	json_decref(document);
	assert_non_null(strstr(text, "  S0: time 20.0 s, before 10.0 s\n  S1: time"));
	assert_non_null(strstr(text, " more: --json\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_a_table_that_adds_up),
		cmocka_unit_test(thousands_of_steps_are_counted),
		cmocka_unit_test(runs_that_are_not_timed_have_no_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
