/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/command/command.h"
#include "correlate/rules/rules.h"
#include "fixture_table.h"

static const char yaml[] =
	"tools:\n"
	"  - fit\n"
	"  - {exe: fit, argument: [--gpu, '--device=cuda*'], name: '{name} gpu'}\n"
	"  - {exe: fit, cwd: '/lab/*', name: fit in lab}\n"
	"  - {exe: fit, image: '*/lab/fit:1.2', name: fit image}\n"
	"  - {exe: fit, parent: 'nextflow*', name: fit of nextflow}\n"
	"  - {exe: fit, user: ada, name: fit of Ada}\n"
	"  - {exe: fit, user: ada, argument: --gpu, name: 'fit of Ada, gpu'}\n"
	"  - {exe: train.py, name: train}\n"
	"  - {exe: train.py, argument: --small, name: train small}\n"
	"  - {exe: papermill, name: '{name} {script}', options: [-k]}\n"
	"  - {exe: quarto, name: '{name} {subcommand} {script}'}\n"
	"  - {exe: many, name: '{subcommand} by many', options: [--threads]}\n";

static const char *known(const char *word)
{
	return strcmp(word, "-") == 0 ? NULL : word;
}

static int judge(const struct rules *rules, const struct table *table)
{
	const struct rule_context context = { .cwd = known(table->words[1]),
					      .image = known(table->words[2]),
					      .parent = known(table->words[3]),
					      .user = known(table->words[4]) };
	struct command command;
	char name[TOOL_NAME_SIZE];

	command_unwrap(rules, table->words[5], table->words + 5, table->count - 5, &context,
		       &command);
	command_name(&command, name, sizeof(name));
	if (strcmp(name, table->words[0]) == 0)
		return 0;
	print_error("conditions.txt:%d: expected '%s', got '%s'\n", table->line, table->words[0],
		    name);
	return 1;
}

static void rules_ask_for_what_stands_around_a_command(void **state)
{
	static struct table table;
	struct rules *rules;
	struct error err;
	int wrong = 0, lines = 0;

	if (rules_new(&rules, &err) || rules_add(rules, "my.yaml", yaml, sizeof(yaml) - 1, &err))
		fail_msg("%s", error_text(&err));
	table_open(&table, "conditions.txt");
	while (table_next(&table)) {
		assert_true(table.count >= 6);
		wrong += judge(rules, &table);
		lines++;
	}
	table_close(&table);
	rules_free(rules);
	assert_true(lines > 15);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_ask_for_what_stands_around_a_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
