/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/command/shell.h"
#include "fixture_table.h"

/* "a b | c": commands' words with '_' between, commands parted by '|' or ';'. */
static void describe(const struct shell_text *text, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < text->command_count && used < size; i++) {
		const struct shell_command *command = &text->commands[i];

		if (i > 0)
			used += (size_t)snprintf(out + used, size - used, "%s",
						 command->piped ? " | " : " ; ");
		for (size_t word = command->first; word < command->end && used < size; word++)
			used += (size_t)snprintf(out + used, size - used, "%s%s",
						 word > command->first ? "_" : "",
						 text->words[word]);
	}
}

/* Each line: the text, its commands. */
static void every_text_of_the_table_is_read_as_it_says(void **state)
{
	static struct table table;
	static struct shell_text text;
	char got[1024];
	int wrong = 0, lines = 0;

	table_open(&table, "shell.txt");
	while (table_next(&table)) {
		assert_int_equal(table.count, 2);
		shell_read(&text, table.words[0]);
		describe(&text, got, sizeof(got));
		lines++;
		if (strcmp(got, table.words[1]) == 0)
			continue;
		print_error("shell.txt:%d: expected '%s', got '%s'\n", table.line, table.words[1],
			    got);
		wrong++;
	}
	table_close(&table);
	assert_true(lines > 20);
	assert_int_equal(wrong, 0);
}

static void a_pipe_joins_only_what_reads_from_what(void **state)
{
	static struct shell_text text;

	shell_read(&text, "a | b | c; d | e");
	assert_true(shell_piped(&text, 0, 1));
	assert_true(shell_piped(&text, 0, 2));
	assert_false(shell_piped(&text, 2, 3));
	assert_false(shell_piped(&text, 0, 4));
	assert_false(shell_piped(&text, 1, 0));
	assert_false(shell_piped(&text, 1, 1));
	assert_false(shell_piped(&text, 3, 99));
}

static void a_program_is_found_by_its_name_first_then_behind_others(void **state)
{
	static struct shell_text text;

	shell_read(&text, "echo bwa; env A=b /opt/samtools sort; /usr/bin/bwa mem");
	assert_int_equal(shell_find(&text, "bwa", 0), 2);
	assert_int_equal(shell_find(&text, "samtools", 0), 1);
	assert_int_equal(shell_find(&text, "samtools", 2), text.command_count);
	assert_int_equal(shell_find(&text, "", 0), text.command_count);
}

static void any_bytes_stay_within_the_limits(void **state)
{
	static const char pieces[] = "ab|&;()<>'\"\\$# \n\t{}=*";
	static struct shell_text text;
	static char bytes[SHELL_TEXT_LIMIT * 2];
	unsigned seed = 7;

	for (int round = 0; round < 3000; round++) {
		size_t len = (size_t)rand_r(&seed) % (sizeof(bytes) - 1);

		for (size_t i = 0; i < len; i++)
			bytes[i] = rand_r(&seed) % 8 ? pieces[rand_r(&seed) % (sizeof(pieces) - 1)]
						     : (char)(rand_r(&seed) % 255 + 1);
		bytes[len] = '\0';
		shell_read(&text, bytes);
		assert_true(text.word_count <= SHELL_WORD_LIMIT);
		assert_true(text.command_count <= SHELL_COMMAND_LIMIT);
		for (size_t i = 0; i < text.command_count; i++)
			assert_true(text.commands[i].first < text.commands[i].end &&
				    text.commands[i].end <= text.word_count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_of_the_table_is_read_as_it_says),
		cmocka_unit_test(a_pipe_joins_only_what_reads_from_what),
		cmocka_unit_test(a_program_is_found_by_its_name_first_then_behind_others),
		cmocka_unit_test(any_bytes_stay_within_the_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
