/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/command/command.h"
#include "correlate/rules/rules.h"
#include "fixture_table.h"

#define ROWS_MIN 1000

struct tally {
	unsigned rows, right, wrong; /* the others: no rule knows them */
};

/* NAME, EXE, ARGV, parted by tabs. */
static void judge(const struct rules *rules, struct table *table, struct tally *tally)
{
	char *name = table->raw, *exe = strchr(name, '\t'),
	     *argv = exe ? strchr(exe + 1, '\t') : NULL;
	struct command command;
	char got[TOOL_NAME_SIZE];

	if (!argv)
		fail_msg("line %d has not three columns", table->line);
	*exe++ = '\0';
	*argv++ = '\0';
	table_read(table, argv);
	command_unwrap(rules, exe, table->words, table->count, &(struct rule_context){ 0 },
		       &command);
	command_name(&command, got, sizeof(got));
	tally->rows++;
	if (strcmp(got, name) == 0) {
		tally->right++;
		return;
	}
	print_message("%d: expected '%s', got '%s'\n", table->line, name, got);
	tally->wrong += command.rule != NULL;
}

static void a_corpus_of_command_lines_is_named_right(void **state)
{
	static struct table table;
	struct tally tally = { 0 };
	struct rules *rules;
	struct error err;

	if (rules_new(&rules, &err))
		fail_msg("%s", error_text(&err));
	table_open(&table, "../../../data/commands.tsv");
	while (table_next(&table))
		judge(rules, &table, &tally);
	table_close(&table);
	rules_free(rules);
	print_message("%u rows: %u right, %u wrong, %u unknown\n", tally.rows, tally.right,
		      tally.wrong, tally.rows - tally.right - tally.wrong);
	assert_true(tally.rows >= ROWS_MIN);
	assert_true(tally.right * 100UL >= tally.rows * 99UL);
	assert_true(tally.wrong * 1000UL <= tally.rows * 2UL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_corpus_of_command_lines_is_named_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
