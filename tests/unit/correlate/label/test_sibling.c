/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "correlate/engines/engine.h"
#include "correlate/rules/rules.h"
#include "correlate/label/sibling.h"
#include "fixture_table.h"

static struct rules *rules;

static int set_up(void **state)
{
	struct error err;

	return rules_new(&rules, &err);
}

static int tear_down(void **state)
{
	rules_free(rules);
	return 0;
}

static void tasks_are_siblings_as_the_table_says(void **state)
{
	static struct table table;
	int wrong = 0, lines = 0;

	table_open(&table, "siblings.txt");
	while (table_next(&table)) {
		const char **words = table.words;
		struct sibling a, b;

		assert_int_equal(table.count, 5);
		a = (struct sibling){ words[1], strlen(words[1]), words[2] };
		b = (struct sibling){ words[3], strlen(words[3]), words[4] };
		lines++;
		if (sibling_is(rules, &a, &b) == (strcmp(words[0], "yes") == 0) &&
		    sibling_is(rules, &a, &b) == sibling_is(rules, &b, &a))
			continue;
		print_error("siblings.txt:%d: not %s: %s\n", table.line, words[0], table.raw);
		wrong++;
	}
	table_close(&table);
	assert_int_equal(wrong, 0);
	assert_true(lines > 8);
}

/* As Python's base64.urlsafe_b64encode has it, in parts of 254 bytes. */
static void a_record_stands_where_snakemake_puts_it(void **state)
{
	static const struct {
		const char *path, *record;
	} rows[] = {
		{ "results/s1.bam", ".snakemake/metadata/cmVzdWx0cy9zMS5iYW0=" },
		{ "\xc3\xbc b.txt", ".snakemake/metadata/w7wgYi50eHQ=" },
		{ "/abs/x", ".snakemake/metadata/L2Ficy94" },
		{ "\xff\xfe?", ".snakemake/metadata/__4_" },
	};
	const struct engine *engine = engine_of(&(struct command){ .subject = "snakemake" });
	char long_path[8192], got[4096];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_true(engine->output_record(rows[i].path, got, sizeof(got)));
		assert_string_equal(got, rows[i].record);
	}
	memset(long_path, 'a', sizeof(long_path));
	long_path[190] = '\0'; /* 256 in base64 */
	assert_true(engine->output_record(long_path, got, sizeof(got)));
	assert_memory_equal(got, ".snakemake/metadata/@YWFh", 25);
	assert_int_equal(strlen(got), strlen(".snakemake/metadata/@") + 254 + strlen("/") + 2);
	assert_int_equal(got[strlen(".snakemake/metadata/@") + 254], '/');
	long_path[189] = '\0'; /* 252: one part */
	assert_true(engine->output_record(long_path, got, sizeof(got)));
	assert_null(strchr(got, '@'));
	long_path[189] = 'a';
	long_path[190] = 'a';
	long_path[sizeof(long_path) - 1] = '\0';
	assert_false(engine->output_record(long_path, got, sizeof(got)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_are_siblings_as_the_table_says),
		cmocka_unit_test(a_record_stands_where_snakemake_puts_it),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
