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

static void prints(const char *findings_text, bool asked, const char *expected)
{
	json_t *findings = json_loads(findings_text, 0, NULL);
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_non_null(findings);
	finding_print(out, findings, asked);
	(void)fclose(out);
	assert_string_equal(text, expected);
	free(text);
	json_decref(findings);
}

static void where_nothing_was_asked_for_it_says_so(void **state)
{
	prints("[]", true, "Findings: none\n");
	prints("[]", false,
	       "Findings: none (no task requests CPUs or memory to compare its use with)\n");
}

static void a_finding_that_is_not_certain_says_so(void **state)
{
	prints("[{\"severity\":\"warning\",\"subject\":\"a\",\"summary\":\"b.\",\"confidence\":\"high\"},"
	       "{\"severity\":\"info\",\"subject\":\"a\",\"summary\":\"b.\",\"confidence\":\"medium\"},"
	       "{\"severity\":\"critical\",\"subject\":\"a\",\"summary\":\"b.\",\"confidence\":\"low\"},"
	       "{\"severity\":\"critical\",\"subject\":\"a\",\"summary\":\"b.\"}]",
	       false,
	       "Findings\n  ! a: b.\n  - a: b. (probably)\n  ! a: b. (perhaps)\n  ! a: b.\n");
}

static void savings_follow_the_advice(void **state)
{
	prints("[{\"subject\":\"a\",\"summary\":\"b.\",\"advice\":\"Do it.\","
	       "\"saves_s\":90,\"saves_usd\":0.5},"
	       "{\"subject\":\"a\",\"summary\":\"b.\",\"advice\":\"\",\"saves_s\":90},"
	       "{\"subject\":\"a\",\"summary\":\"b.\",\"advice\":\"Do it.\","
	       "\"saves_s\":0.5,\"saves_usd\":null}]",
	       true,
	       "Findings\n  ! a: b.\n    → Do it. (saves 1m 30s, $0.500000)\n"
	       "  ! a: b.\n    saves 1m 30s\n  ! a: b.\n    → Do it.\n");
}

static void a_finding_is_broken_to_the_width(void **state)
{
	json_t *finding = json_loads("{\"severity\":\"info\",\"subject\":\"step a\","
				     "\"summary\":\"one two three\",\"advice\":\"four five six\"}",
				     0, NULL);
	struct lines lines = { 0 };

	finding_lines(&lines, finding, 18, false);
	assert_int_equal(lines.count, 4);
	assert_string_equal(lines.text[0], "  - step a: one");
	assert_string_equal(lines.text[1], "    two three");
	assert_string_equal(lines.text[2], "    → four five");
	assert_string_equal(lines.text[3], "      six");
	finding_lines(&lines, finding, 18, true);
	assert_string_equal(lines.text[4], "  - step a: one");
	json_object_set_new(finding, "severity", json_string("critical"));
	finding_lines(&lines, finding, 18, true);
	assert_string_equal(lines.text[8], "  \033[31m!\033[0m step a: one");
	lines_clear(&lines);
	json_decref(finding);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_nothing_was_asked_for_it_says_so),
		cmocka_unit_test(a_finding_that_is_not_certain_says_so),
		cmocka_unit_test(savings_follow_the_advice),
		cmocka_unit_test(a_finding_is_broken_to_the_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
