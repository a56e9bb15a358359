/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/tree/run_root.h"
#include "correlate/rules/rules.h"
#include "fixture_table.h"

/* The words behind the first, as a command and its ancestors. */
static size_t read_ancestors(struct table *table, struct ancestor ancestors[RUN_ROOT_DEPTH])
{
	size_t count = 0;

	for (size_t i = 1; i < table->count; i++) {
		struct ancestor *ancestor = &ancestors[count];

		if (strcmp(table->words[i], "<") == 0) {
			count++;
			continue;
		}
		if (i == 1 || strcmp(table->words[i - 1], "<") == 0) {
			*ancestor = (struct ancestor){ .terminal = table->words[i][0] == '*' };
			table->words[i] += ancestor->terminal;
			ancestor->exe = table->words[i] + (table->words[i][0] == '-');
			ancestor->argv = table->words + i;
		}
		ancestor->argc++;
	}
	return count + 1;
}

static void a_driver_is_found_among_the_ancestors(void **state)
{
	static const char *const kinds[] = { "none", "script", "session", "command", "job" };
	static struct table table;
	struct ancestor ancestors[RUN_ROOT_DEPTH];
	struct rules *rules;
	struct error err;
	int wrong = 0, lines = 0;

	if (rules_new(&rules, &err))
		fail_msg("%s", error_text(&err));
	table_open(&table, "drivers.txt");
	while (table_next(&table)) {
		struct run_root root;
		char got[32];
		size_t count = read_ancestors(&table, ancestors);

		root = run_root_find(rules, ancestors, count);
		(void)snprintf(got, sizeof(got), root.kind ? "%s %zu" : "%s", kinds[root.kind],
			       root.index);
		lines++;
		if (strcmp(got, table.words[0]) == 0)
			continue;
		print_error("drivers.txt:%d: expected '%s', got '%s'\n", table.line, table.words[0],
			    got);
		wrong++;
	}
	table_close(&table);
	rules_free(rules);
	assert_true(lines > 20);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_driver_is_found_among_the_ancestors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
