/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/report/finding.h"

static void no_findings_print(bool asked, const char *expected)
{
	json_t *none = json_array();
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	finding_print(out, none, asked);
	(void)fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(none);
}

static void where_nothing_was_asked_for_it_says_so_instead_of_none(void **state)
{
	no_findings_print(true, "Findings: none\n");
	no_findings_print(false, "Findings: nothing to compare use with: no task requests CPUs or "
				 "memory\n");
}

static void a_task_that_asked_for_either_counts(void **state)
{
	static const struct {
		const char *tasks;
		bool asked;
	} rows[] = { { "[]", false },
		     { "[{\"cpus_requested\": null, \"memory_requested_bytes\": 0}]", false },
		     { "[{}, {\"cpus_requested\": 0.5}]", true },
		     { "[{\"memory_requested_bytes\": 1}]", true } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		json_t *tasks = json_loads(rows[i].tasks, 0, NULL);

		assert_int_equal(finding_asked(tasks), rows[i].asked);
		json_decref(tasks);
	}
	assert_false(finding_asked(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_nothing_was_asked_for_it_says_so_instead_of_none),
		cmocka_unit_test(a_task_that_asked_for_either_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
