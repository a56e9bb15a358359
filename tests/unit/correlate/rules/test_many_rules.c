/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
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
#include "correlate/command/command.h"
#include "correlate/rules/rule.h"
#include "correlate/rules/rules.h"

/* More rules than people write, and rules that cost as much as rules may. */
#define MANY         10000
#define PATTERN_EACH 12 /* of these one has a '*' */

static int setup(void **state)
{
	return rules_new((struct rules **)state, NULL);
}

static int teardown(void **state)
{
	rules_free(*state);
	return 0;
}

static const char *name_of(const struct rules *rules, const char *exe, const char *argument,
			   char name[TOOL_NAME_SIZE])
{
	const char *argv[] = { exe, argument, NULL };

	return rules_tool(rules, exe, argv, 2, name, TOOL_NAME_SIZE);
}

static void fail_with(const char *line, void *context)
{
	fail_msg("%s", line);
}

static void write_rule(struct buffer *yaml, int n)
{
	if (n % PATTERN_EACH == 0)
		buffer_printf(yaml, "- {exe: 'lab%d-*', name: 'lab %d {subcommand}'}\n", n, n);
	else if (n % PATTERN_EACH == 1)
		buffer_printf(yaml, "- {exe: samtools, cwd: '/lab/%d/*', name: 'lab %d'}\n", n, n);
	else
		buffer_printf(yaml, "- {exe: program%d, name: 'lab %d {subcommand}'}\n", n, n);
}

static void ten_thousand_rules_are_each_found(void **state)
{
	struct buffer yaml CLEANUP(buffer_clear);
	char name[TOOL_NAME_SIZE], expected[TOOL_NAME_SIZE], exe[64];
	struct rules *rules = *state;
	struct error err = { "" };
	size_t before = rules_count(rules);

	buffer_init(&yaml, 0);
	buffer_append_text(&yaml, "tools:\n");
	for (int n = 0; n < MANY; n++)
		write_rule(&yaml, n);
	if (rules_add(rules, "many.yaml", yaml.data, yaml.len, &err))
		fail_msg("%s", err.text);
	assert_int_equal(rules_count(rules), before + MANY);
	for (int n = 0; n < MANY; n++) {
		if (n % PATTERN_EACH == 1)
			continue;
		(void)snprintf(exe, sizeof(exe), n % PATTERN_EACH ? "program%d" : "lab%d-2.7", n);
		(void)snprintf(expected, sizeof(expected), "lab %d sort", n);
		assert_string_equal(name_of(rules, exe, "sort", name), expected);
	}
	assert_string_equal(name_of(rules, "samtools", "sort", name), "samtools sort");
	assert_string_equal(name_of(rules, "program10000", "sort", name), "program10000");
	assert_int_equal(rules_tracking(rules, "program9999"), RULE_BEGINS);
	rules_check(rules, fail_with, NULL);
}

/* The last of ten thousand that ask for something comes first. */
static void ten_thousand_rules_of_one_name_are_asked_from_the_last(void **state)
{
	struct buffer yaml CLEANUP(buffer_clear);
	char cwd[64], expected[TOOL_NAME_SIZE], name[TOOL_NAME_SIZE];
	const char *argv[] = { "fit", NULL };
	struct command command;

	buffer_init(&yaml, 0);
	buffer_append_text(&yaml, "tools:\n");
	for (int n = 0; n < MANY; n++)
		buffer_printf(&yaml, "- {exe: fit, cwd: '/lab/%d*', name: 'lab %d'}\n", n, n);
	assert_int_equal(rules_add(*state, "many.yaml", yaml.data, yaml.len, NULL), 0);
	for (int n = 0; n < MANY; n += 997) {
		const struct rule_context context = { .cwd = cwd };

		(void)snprintf(cwd, sizeof(cwd), "/lab/%d/x", n);
		(void)snprintf(expected, sizeof(expected), "lab %d", n);
		command_unwrap(*state, "/bin/fit", argv, 1, &context, &command);
		assert_string_equal(command_name(&command, name, sizeof(name)), expected);
	}
	assert_string_equal(name_of(*state, "fit", "x", name), "fit");
}

/* With more than one '*' a text may be split in very many ways: such a pattern is refused. One is
 * looked for from both ends, however alike all is. */
static void a_pattern_that_could_be_tried_in_many_ways_is_refused_or_is_none(void **state)
{
	static const char *const refused[] = {
		"tools: ['a*a*a*a*a*a*a*a*b']",
		"tools: ['**********']",
		"tools: [{exe: x, operand: 'a*a*.jar'}]",
		"tools: [{exe: x, argument: 'a*a*a*a*a*b'}]",
		"tools: [{exe: x, cwd: '/*/*/*/*/*/*'}]",
		"tools: [{exe: x, image: '*a*'}]",
		"tools: [{exe: x, parent: 'a**'}]",
		"tools: [{exe: x, user: '*a*'}]",
	};
	static char word[128 << 10], yaml[512], name[TOOL_NAME_SIZE];

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_int_equal(rules_add(*state, "x.yaml", refused[i], strlen(refused[i]), NULL),
				 -EINVAL);
	(void)snprintf(yaml, sizeof(yaml),
		       "tools: [{exe: '%0*d*%0*db', name: found}, "
		       "{exe: fit, argument: '%0*d*%0*db', name: fit a lot}]",
		       30, 0, 30, 0, 60, 0, 60, 0);
	assert_int_equal(rules_add(*state, "x.yaml", yaml, strlen(yaml), NULL), 0);
	memset(word, '0', sizeof(word) - 1);
	assert_string_not_equal(name_of(*state, word, "x", name), "found");
	assert_string_equal(name_of(*state, "fit", word, name), "fit");
	word[sizeof(word) - 2] = 'b';
	assert_string_equal(name_of(*state, word, "x", name), "found");
	assert_string_equal(name_of(*state, "fit", word, name), "fit a lot");
}

/* What would keep the YAML's reader busy for hours: millions of lists in one another, of anchors.
 */
static void texts_that_take_for_ever_to_read_are_refused(void **state)
{
	static const char *const parts[] = { "[", "{", "- ", "? ", "[&a " };
	struct buffer yaml CLEANUP(buffer_clear);
	struct error err = { "" };

	buffer_init(&yaml, 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		buffer_reset(&yaml);
		while (yaml.len + strlen(parts[i]) <= RULES_YAML_LIMIT)
			buffer_append_text(&yaml, parts[i]);
		assert_int_equal(rules_add(*state, "x.yaml", yaml.data, yaml.len, &err), -EINVAL);
		assert_true(strncmp(err.text, "x.yaml:", 7) == 0);
	}
	buffer_reset(&yaml);
	for (int i = 0; yaml.len + 32 <= RULES_YAML_LIMIT; i++)
		buffer_printf(&yaml, "- &a%d x\n", i);
	assert_int_equal(rules_add(*state, "x.yaml", yaml.data, yaml.len, &err), -EINVAL);
	assert_string_equal(err.text, "x.yaml:257:3: more than 256 anchors");
	buffer_reset(&yaml);
	buffer_append_text(&yaml, "tools: [&a0 x0");
	for (int i = 1; i < 256; i++)
		buffer_printf(&yaml, ", &a%d x%d", i, i);
	buffer_append_text(&yaml, ", *a0]");
	assert_int_equal(rules_add(*state, "x.yaml", yaml.data, yaml.len, &err), 0);
}

/* Rules that ask for so many arguments, 64 each. */
static void write_arguments(struct buffer *yaml, int count)
{
	buffer_reset(yaml);
	buffer_append_text(yaml, "tools:\n");
	for (int n = 0; n < count; n++) {
		if (n % 64 == 0)
			buffer_printf(yaml, "- {exe: fit%d, argument: [", n);
		buffer_printf(yaml, "--a%d%s", n, n % 64 == 63 || n + 1 == count ? "]}\n" : ", ");
	}
}

/* Arguments that rules ask for are bounded: each is held against each of a command's. */
static void beyond_the_cap_of_arguments_rules_are_refused(void **state)
{
	struct buffer yaml CLEANUP(buffer_clear);
	struct error err = { "" };
	size_t before = rules_count(*state);

	buffer_init(&yaml, 0);
	write_arguments(&yaml, RULE_ARGUMENT_LIMIT);
	assert_int_equal(rules_add(*state, "x.yaml", yaml.data, yaml.len, &err), -EFBIG);
	assert_string_equal(err.text,
			    "x.yaml: more texts under 'argument' than there is room for (4,096)");
	assert_int_equal(rules_count(*state), before);
	write_arguments(&yaml, RULE_ARGUMENT_LIMIT - 10); /* the built-in rules have some */
	assert_int_equal(rules_add(*state, "x.yaml", yaml.data, yaml.len, &err), 0);
	write_arguments(&yaml, 11);
	assert_int_equal(rules_add(*state, "y.yaml", yaml.data, yaml.len, &err), -EFBIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ten_thousand_rules_are_each_found, setup, teardown),
		cmocka_unit_test_setup_teardown(
			ten_thousand_rules_of_one_name_are_asked_from_the_last, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_pattern_that_could_be_tried_in_many_ways_is_refused_or_is_none, setup,
			teardown),
		cmocka_unit_test_setup_teardown(texts_that_take_for_ever_to_read_are_refused, setup,
						teardown),
		cmocka_unit_test_setup_teardown(beyond_the_cap_of_arguments_rules_are_refused,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
