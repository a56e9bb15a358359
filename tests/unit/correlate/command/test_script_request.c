/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "correlate/command/script_request.h"
#include "fixture_table.h"

static void requests_come_out_as_the_table_says(void **state)
{
	static struct table table;
	int wrong = 0, lines = 0;

	table_open(&table, "script_requests.txt");
	while (table_next(&table)) {
		struct request got;

		assert_int_equal(table.count, 3);
		got = script_request(table.words[2]);
		lines++;
		if (got.cpus == strtod(table.words[0], NULL) &&
		    got.memory_bytes == strtoull(table.words[1], NULL, 10))
			continue;
		print_error("script_requests.txt:%d: got %g %llu\n", table.line, got.cpus,
			    (unsigned long long)got.memory_bytes);
		wrong++;
	}
	table_close(&table);
	assert_int_equal(wrong, 0);
	assert_true(lines > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_come_out_as_the_table_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
