/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "correlate/command/plan.h"
#include "correlate/command/shell.h"

static struct rules *rules;

static void add(const struct plan_tool *tool, void *context)
{
	struct buffer *out = context;

	buffer_printf(out, "%s%s", out->len ? ", " : "", tool->name);
}

/* Returns the names, "-" for none. */
static const char *plan(const char *text, struct buffer *out)
{
	static const struct rule_context context;

	buffer_init(out, 1 << 16);
	plan_read(rules, &context, text, add, out);
	if (!out->len)
		buffer_append_text(out, "-");
	return out->data;
}

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

static void a_text_plans_what_the_table_says(void **state)
{
	FILE *file = fopen(TESTS_DIR "/unit/correlate/data/plan.txt", "r");
	char line[4096];
	int wrong = 0, rows = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		CLEANUP(buffer_clear) struct buffer out = { 0 };
		char *tab = strchr(line, '\t');
		const char *got;

		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			continue;
		if (tab)
			*tab++ = '\0';
		got = plan(tab ? tab : "", &out);
		rows++;
		if (strcmp(got, line) == 0)
			continue;
		print_error("%s\n    expected: %s\n    got: %s\n", tab ? tab : "", line, got);
		wrong++;
	}
	(void)fclose(file);
	assert_int_equal(wrong, 0);
	assert_true(rows > 10);
}

static void a_documents_lines_are_no_programs(void **state)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	assert_string_equal(plan("cat > x <<END\nhello world\nEND\nsamtools index y", &out),
			    "cat, samtools index");
}

static void a_text_beyond_the_limit_is_cut_before_a_command_that_is_not_whole(void **state)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 }, out = { 0 };

	buffer_init(&text, 1 << 16);
	buffer_append_text(&text, "samtools sort");
	while (text.len + 5 < SHELL_TEXT_LIMIT)
		buffer_append_text(&text, " x");
	buffer_append_text(&text, "; samtools index y");
	buffer_append_char(&text, '\0');
	assert_string_equal(plan(text.data, &out), "samtools sort");
}

static void commands_beyond_the_cap_are_not_planned(void **state)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 }, out = { 0 };
	size_t count = 1;

	buffer_init(&text, 1 << 16);
	for (int i = 0; i < 2 * PLAN_LIMIT; i++)
		buffer_append_text(&text, "t;");
	buffer_append_char(&text, '\0');
	for (const char *at = plan(text.data, &out); (at = strchr(at, ',')); at++)
		count++;
	assert_int_equal(count, PLAN_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_plans_what_the_table_says),
		cmocka_unit_test(a_documents_lines_are_no_programs),
		cmocka_unit_test(a_text_beyond_the_limit_is_cut_before_a_command_that_is_not_whole),
		cmocka_unit_test(commands_beyond_the_cap_are_not_planned),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
