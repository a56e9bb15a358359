/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cli/report/status/status_programs.h"

static void says(const char *programs_text, const char *expected)
{
	json_t *programs = json_loads(programs_text, JSON_DECODE_ANY, NULL);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(programs);
	status_programs(out, programs);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(programs);
}

static void programs_that_were_called_stand_by_their_time(void **state)
{
	says("[{\"name\":\"on_exec\",\"calls\":20,\"run_ns\":80000},"
	     "{\"name\":\"on_never\",\"calls\":0,\"run_ns\":0},"
	     "{\"name\":\"on_switch\",\"calls\":1234567,\"run_ns\":75308587}]",
	     "\n"
	     "Since the agent started, as far as the kernel counted:\n"
	     "KERNEL PROGRAM      CALLS  RUN TIME  A CALL\n"
	     "on_switch       1,234,567     75 ms   61 ns\n"
	     "on_exec                20     80 µs    4 µs\n"
	     "all             1,234,587     75 ms   61 ns\n");
}

static void what_is_not_counted_is_not_nought(void **state)
{
	says("null", "       run time of its kernel programs: not counted "
		     "(enable it: sysctl kernel.bpf_stats_enabled=1)\n");
}

/* It was turned on this moment. */
static void nothing_called_yet_is_nought(void **state)
{
	says("[{\"name\":\"on_exec\",\"calls\":0,\"run_ns\":0}]",
	     "\n"
	     "Since the agent started, as far as the kernel counted:\n"
	     "KERNEL PROGRAM  CALLS  RUN TIME  A CALL\n"
	     "all                 0      0 ns    0 ns\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_that_were_called_stand_by_their_time),
		cmocka_unit_test(what_is_not_counted_is_not_nought),
		cmocka_unit_test(nothing_called_yet_is_nought),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
