/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/command/version.h"
#include "fixture_table.h"

/* Each line: the version, the tool, the program's path, the container's image, the command line. */
static void every_line_of_the_table_has_its_version(void **state)
{
	static struct table table;
	char got[VERSION_SIZE];
	int wrong = 0, lines = 0;

	table_open(&table, "versions.txt");
	while (table_next(&table)) {
		const char **words = table.words;
		struct version_query query = {
			.tool = words[1],
			.exe = words[2],
			.image = strcmp(words[3], "-") == 0 ? NULL : words[3],
			.argv = (char *const *)(uintptr_t)(words + 4),
			.argc = table.count - 4,
		};

		assert_true(table.count >= 5);
		version_of(&query, got);
		lines++;
		if (strcmp(got, words[0]) == 0)
			continue;
		print_error("versions.txt:%d: expected '%s', got '%s'\n", table.line, words[0],
			    got);
		wrong++;
	}
	table_close(&table);
	assert_true(lines >= 90);
	assert_int_equal(wrong, 0);
}

static void what_is_not_known_has_none(void **state)
{
	char got[VERSION_SIZE] = "x";

	assert_string_equal(version_of(&(struct version_query){ 0 }, got), "");
	assert_string_equal(version_of(&(struct version_query){ .tool = "x" }, got), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_of_the_table_has_its_version),
		cmocka_unit_test(what_is_not_known_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
