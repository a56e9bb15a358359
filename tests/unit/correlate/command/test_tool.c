/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/utf8.h"
#include "correlate/command/command.h"
#include "correlate/rules/rules.h"
#include "fixture_table.h"

static int setup(void **state)
{
	struct error err;

	if (rules_new((struct rules **)state, &err))
		fail_msg("%s", error_text(&err));
	return 0;
}

static int teardown(void **state)
{
	rules_free(*state);
	return 0;
}

/* Each line: the name, the file, the arguments. */
static void every_command_of_the_table_is_named_as_it_says(void **state)
{
	static struct table table;
	char name[128];
	int wrong = 0, lines = 0;

	table_open(&table, "tools.txt");
	while (table_next(&table)) {
		assert_true(table.count >= 2);
		rules_tool(*state, table.words[1], table.words + 2, table.count - 2, name,
			   sizeof(name));
		lines++;
		if (strcmp(name, table.words[0]) == 0)
			continue;
		print_error("tools.txt:%d: expected '%s', got '%s'\n", table.line, table.words[0],
			    name);
		wrong++;
	}
	table_close(&table);
	assert_true(lines > 50);
	assert_int_equal(wrong, 0);
}

static void a_name_is_cut_at_its_buffer_and_stays_utf8(void **state)
{
	const char *argv[] = { "x", NULL };
	char name[8];

	rules_tool(*state, "/bin/abcdefghijkl", argv, 1, name, sizeof(name));
	assert_string_equal(name, "abcdefg");
	rules_tool(*state, "/bin/abcde\xC3\xA9\xC3\xA9", argv, 1, name, sizeof(name));
	assert_string_equal(name, "abcde\xC3\xA9");
}

static void any_bytes_as_a_command_give_a_name_that_is_utf8(void **state)
{
	unsigned seed = 1;

	for (int round = 0; round < 20000; round++) {
		char texts[4][40], name[32];
		const char *argv[4];

		for (int i = 0; i < 4; i++) {
			static const char *const starts[] = { "java", "python3",  "bash", "-c",
							      "-m",   "samtools", "-jar", "" };
			size_t len = strlen(strcpy(texts[i], starts[rand_r(&seed) % 8]));

			for (int more = rand_r(&seed) % 6; more > 0; more--)
				texts[i][len++] = (char)(rand_r(&seed) % 255 + 1);
			texts[i][len] = '\0';
			argv[i] = texts[i];
		}
		rules_tool(*state, texts[0], argv, 4, name, sizeof(name));
		assert_true(utf8_valid(name, strlen(name)));
	}
}

static void nothing_at_all_has_no_name(void **state)
{
	char name[16] = "x";

	rules_tool(*state, "", NULL, 0, name, sizeof(name));
	assert_string_equal(name, "");
	rules_tool(*state, NULL, NULL, 0, name, sizeof(name));
	assert_string_equal(name, "");
}

/* What of a run is listed by name, and what in one row. */
static void a_command_is_a_tool_or_a_helper_as_its_rule_says(void **state)
{
	static const struct rule_context unknown;
	static const struct {
		const char *exe, *argv[4], *kind;
	} rows[] = {
		{ "/usr/bin/samtools", { "samtools", "sort", "x" }, "tool" },
		{ "/usr/bin/cbc", { "cbc", "x.mps" }, "helper" }, /* Snakemake's solver */
		{ "/usr/bin/tracer", { "tracer", "run", "--" }, "launcher" },
		{ "/usr/bin/dash", { "sh", "-c", "true" }, "shell" },
		{ "/usr/bin/python3.11", { "python3" }, "interpreter" },
		{ "/home/ada/own-program", { "own-program" }, "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct command command;
		size_t argc = 0;

		while (rows[i].argv[argc])
			argc++;
		command_unwrap(*state, rows[i].exe, rows[i].argv, argc, &unknown, &command);
		assert_string_equal(command_kind(&command), rows[i].kind);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_of_the_table_is_named_as_it_says),
		cmocka_unit_test(a_name_is_cut_at_its_buffer_and_stays_utf8),
		cmocka_unit_test(any_bytes_as_a_command_give_a_name_that_is_utf8),
		cmocka_unit_test(nothing_at_all_has_no_name),
		cmocka_unit_test(a_command_is_a_tool_or_a_helper_as_its_rule_says),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
