/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/command/container_run.h"
#include "fixture_table.h"

/* "IMAGE NAME WORDS", as a line of the table begins. */
static void describe(const struct command *command, char *out, size_t size)
{
	struct container_run run;
	size_t used;

	if (!container_run_read(command, &run)) {
		(void)snprintf(out, size, "none|-|");
		return;
	}
	used = (size_t)snprintf(out, size, "%s|%s|", run.image, run.name ? run.name : "-");
	for (size_t i = 0; i < run.count; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? " " : "",
					 run.words[i]);
}

static void every_line_of_the_table_is_read_as_it_says(void **state)
{
	static struct table table;
	struct rules *rules = NULL;
	int wrong = 0, lines = 0;

	assert_int_equal(rules_new(&rules, NULL), 0);
	table_open(&table, "container_runs.txt");
	while (table_next(&table)) {
		static const struct rule_context unknown;
		char wanted[1024], got[1024];
		struct command command;

		assert_true(table.count > 3);
		command_unwrap(rules, table.words[3], &table.words[3], table.count - 3, &unknown,
			       &command);
		describe(&command, got, sizeof(got));
		(void)snprintf(wanted, sizeof(wanted), "%s|%s|%s", table.words[0], table.words[1],
			       table.words[2]);
		lines++;
		if (strcmp(got, wanted) == 0)
			continue;
		print_error("container_runs.txt:%d: expected '%s', got '%s'\n", table.line, wanted,
			    got);
		wrong++;
	}
	table_close(&table);
	rules_free(rules);
	assert_true(lines > 30);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_of_the_table_is_read_as_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
