/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/rules/rules.h"
#include "correlate/label/sample.h"
#include "fixture_table.h"

static struct rules *rules;

static const char *sample_of_line(const struct table *table, char sample[SAMPLE_SIZE])
{
	if (strcmp(table->words[1], "wildcards") == 0)
		return sample_of_wildcards(table->words[2], sample);
	return sample_between(rules, table->words[1], table->words[2], sample);
}

/* Each line: the sample, the command line, another of the step; or "wildcards" and those. */
static void every_line_of_the_table_has_its_sample(void **state)
{
	static struct table table;
	char got[SAMPLE_SIZE];
	int wrong = 0, lines = 0;

	table_open(&table, "samples.txt");
	while (table_next(&table)) {
		assert_int_equal(table.count, 3);
		sample_of_line(&table, got);
		lines++;
		if (strcmp(got, table.words[0]) == 0)
			continue;
		print_error("samples.txt:%d: expected '%s', got '%s'\n", table.line, table.words[0],
			    got);
		wrong++;
	}
	table_close(&table);
	assert_true(lines > 15);
	assert_int_equal(wrong, 0);
}

static void command_lines_of_any_length_are_compared(void **state)
{
	static char a[40000], b[40000];
	char sample[SAMPLE_SIZE];

	for (size_t i = 0; i + 8 < sizeof(a); i += 4) {
		snprintf(a + i, 5, "a%02zu ", i / 4 % 100);
		snprintf(b + i, 5, "b%02zu ", i / 4 % 100);
	}
	sample_between(rules, a, b, sample);
	assert_int_equal(sample[0], 'a');
	memset(a, 'x', sizeof(a) - 1);
	memset(b, 'y', sizeof(b) - 1);
	sample_between(rules, a, b, sample);
	assert_string_equal(sample, "");
}

static int setup(void **state)
{
	return rules_new(&rules, NULL);
}

static int teardown(void **state)
{
	rules_free(rules);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_of_the_table_has_its_sample),
		cmocka_unit_test(command_lines_of_any_length_are_compared),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
