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
#include "base/map.h"
#include "correlate/engines/engine.h"
#include "correlate/rules/rule.h"
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

static const char *name_of(struct rules *rules, const char *exe, char name[64])
{
	const char *argv[] = { exe, "go", NULL };

	return rules_tool(rules, exe, argv, 2, name, 64);
}

static int add(struct rules *rules, const char *yaml, struct error *err)
{
	return rules_add(rules, "my.yaml", yaml, strlen(yaml), err);
}

/* Each line: the words, the YAML. */
static void every_wrong_rule_of_the_table_is_told_with_its_place(void **state)
{
	static struct table table;
	const char *const *names;
	size_t count = rules_names(*state, &names);
	int wrong = 0, lines = 0;

	table_open(&table, "wrong_rules.txt");
	while (table_next(&table)) {
		struct error err = { "" };
		int rc;

		assert_int_equal(table.count, 2);
		rc = add(*state, table.words[1], &err);
		lines++;
		if (rc == -EINVAL && strcmp(err.text, table.words[0]) == 0)
			continue;
		print_error("wrong_rules.txt:%d: expected '%s', got %d '%s'\n", table.line,
			    table.words[0], rc, err.text);
		wrong++;
	}
	table_close(&table);
	assert_true(lines > 15);
	assert_int_equal(wrong, 0);
	assert_int_equal(rules_names(*state, &names), count);
}

/* What is expected to be said, one line after another. */
struct expected {
	const struct table *table;
	size_t next;
	int wrong;
};

static void hear(const char *line, void *context)
{
	struct expected *expected = context;
	const struct table *table = expected->table;
	const char *want =
		expected->next < table->count ? table->words[expected->next++] : "nothing";

	if (strcmp(line, want) == 0)
		return;
	print_error("checked_rules.txt:%d: expected '%s', got '%s'\n", table->line, want, line);
	expected->wrong++;
}

/* Each line: the YAML, what is said of it. */
static void rules_that_never_match_are_told(void **state)
{
	static struct table table;
	int wrong = 0, lines = 0;

	table_open(&table, "checked_rules.txt");
	while (table_next(&table)) {
		struct expected expected = { .table = &table, .next = 1 };
		struct rules *rules;
		struct error err;

		if (rules_new(&rules, &err) || add(rules, table.words[0], &err))
			fail_msg("%s", error_text(&err));
		rules_check(rules, hear, &expected);
		rules_free(rules);
		wrong += expected.wrong || expected.next != table.count;
		if (expected.next != table.count)
			print_error("checked_rules.txt:%d: said too little\n", table.line);
		lines++;
	}
	table_close(&table);
	assert_true(lines > 12);
	assert_int_equal(wrong, 0);
}

static void a_users_rule_wins_over_built_in_ones_and_over_earlier_ones(void **state)
{
	char name[64];

	assert_string_equal(name_of(*state, "samtools", name), "samtools go");
	assert_int_equal(add(*state, "tools: [{exe: samtools, name: mine}]", NULL), 0);
	assert_string_equal(name_of(*state, "samtools", name), "mine");
	assert_int_equal(add(*state, "tools: [{exe: 'sam*', name: sams}]", NULL), 0);
	assert_string_equal(name_of(*state, "samtools", name), "sams");
	assert_int_equal(add(*state, "tools: [{exe: samtools, name: exact}, {exe: 's*'}]", NULL),
			 0);
	assert_string_equal(name_of(*state, "samtools", name), "exact");
}

static void a_pattern_matches_what_begins_and_ends_like_it(void **state)
{
	char name[64];

	assert_int_equal(add(*state, "tools: [{exe: 'aa*bb', name: yes}]", NULL), 0);
	assert_string_equal(name_of(*state, "aabb", name), "yes");
	assert_string_equal(name_of(*state, "aaxbb", name), "yes");
	assert_string_equal(name_of(*state, "aab", name), "aab");
	assert_string_equal(name_of(*state, "aaxbbc", name), "aaxbbc");
}

/* YAML, a name, what it is called: patterns are looked at by the byte they begin with. */
static void a_later_pattern_wins_whatever_it_begins_with(void **state)
{
	static const char *const rows[][3] = {
		{ "tools: [{exe: 'ab*', name: a}, {exe: '*bc', name: b}]", "abc", "b" },
		{ "tools: [{exe: '*bc', name: b}, {exe: 'ab*', name: a}]", "abc", "a" },
		{ "tools: [{exe: 'ab*', name: a}, {exe: 'a*c', name: b}]", "abc", "b" },
		{ "tools: [{exe: 'a*', name: a}, {exe: '*c', name: b}, {exe: 'a*d', name: c}]",
		  "abc", "b" },
		{ "tools: [{exe: '*c', name: b}, {exe: 'x*', name: c}]", "abc", "b" },
		{ "tools: [{exe: '*c', name: b}, {exe: '*bc', name: c}]", "*bc", "c" },
		{ "tools: [{exe: 'é*', name: a}, {exe: 'b*', name: c}]", "éx", "a" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rules *rules;
		char name[64];

		assert_int_equal(rules_new(&rules, NULL), 0);
		assert_int_equal(add(rules, rows[i][0], NULL), 0);
		assert_string_equal(name_of(rules, rows[i][1], name), rows[i][2]);
		rules_free(rules);
	}
}

static void nothing_is_added_by_rules_that_are_partly_wrong(void **state)
{
	char name[64];

	assert_int_equal(add(*state, "tools: [{exe: good1, name: g}, {exo: bad}]", NULL), -EINVAL);
	assert_string_equal(name_of(*state, "good1", name), "good1");
}

static void empty_rules_are_fine(void **state)
{
	assert_int_equal(add(*state, "", NULL), 0);
	assert_int_equal(add(*state, "# nothing\n", NULL), 0);
	assert_int_equal(add(*state, "tools: []", NULL), 0);
}

static void beyond_the_caps_rules_are_refused(void **state)
{
	struct buffer yaml CLEANUP(buffer_clear);
	struct error err;

	buffer_init(&yaml, 0);
	buffer_append_text(&yaml, "tools:\n");
	for (int i = 0; i <= RULES_LIMIT; i++)
		buffer_printf(&yaml, "- tool%d\n", i);
	assert_int_equal(rules_add(*state, "many.yaml", yaml.data, yaml.len, &err), -EINVAL);
	assert_string_equal(err.text, "many.yaml:16386:3: too many rules");
	buffer_reset(&yaml);
	buffer_append_text(&yaml, "tools:\n");
	for (int i = 0; i < RULES_LIMIT; i++)
		buffer_printf(&yaml, "- tool%d\n", i);
	assert_int_equal(rules_add(*state, "many.yaml", yaml.data, yaml.len, &err), -EFBIG);
	buffer_reset(&yaml);
	while (yaml.len <= RULES_YAML_LIMIT)
		buffer_append_text(&yaml, "# comment\n");
	assert_int_equal(rules_add(*state, "big.yaml", yaml.data, yaml.len, &err), -EFBIG);
	assert_string_equal(err.text, "big.yaml: more than 4 MiB of rules");
}

static bool is_in(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool is_among(struct rules *rules, const char *name)
{
	const char *const *names;
	size_t count = rules_names(rules, &names);

	return is_in(names, count, name);
}

static bool is_excluded(struct rules *rules, const char *name)
{
	const char *const *names;
	size_t count = rules_excluded(rules, &names);

	return is_in(names, count, name);
}

static const char *marks(struct rules *rules, const char *name)
{
	static const char *const words[2][2] = { { "no", "excluded" }, { "tracked", "both" } };

	return words[is_among(rules, name)][is_excluded(rules, name)];
}

/* Each line: a name, what its exec means in the end, the files that say so in their order. */
static void what_an_exec_means_is_said_by_the_latest_rule_of_its_name(void **state)
{
	static struct table table;
	int wrong = 0, lines = 0;

	table_open(&table, "marks.txt");
	while (table_next(&table)) {
		struct rules *rules;

		assert_true(table.count >= 2);
		assert_int_equal(rules_new(&rules, NULL), 0);
		for (size_t i = 2; i < table.count; i++)
			assert_int_equal(add(rules, table.words[i], NULL), 0);
		lines++;
		if (strcmp(marks(rules, table.words[0]), table.words[1]) != 0) {
			print_error("marks.txt:%d: %s is '%s', not '%s'\n", table.line,
				    table.words[0], marks(rules, table.words[0]), table.words[1]);
			wrong++;
		}
		rules_free(rules);
	}
	table_close(&table);
	assert_true(lines > 10);
	assert_int_equal(wrong, 0);
}

static void what_is_excluded_keeps_its_name_and_its_options(void **state)
{
	static const char *const argv[] = { "/usr/bin/python3", "-W", "x", "plot.py", NULL };
	char name[64];

	assert_int_equal(add(*state, "exclude: [python3]", NULL), 0);
	assert_string_equal(rules_tool(*state, argv[0], argv, 4, name, sizeof(name)), "plot.py");
}

static void names_hold_engines_tools_and_interpreters_but_no_shells_and_helpers(void **state)
{
	const struct command snakemake = { .subject = "snakemake" },
			     tracer = { .subject = "tracer" };
	const char *const *names;
	size_t count = rules_names(*state, &names);

	assert_string_equal(engine_of(&snakemake)->name, "snakemake");
	assert_string_equal(engine_of(&tracer)->name, "tracer run");
	assert_true(is_among(*state, engine_of(&snakemake)->program));
	assert_true(is_among(*state, engine_of(&tracer)->program));
	assert_true(is_among(*state, "samtools"));
	assert_true(is_among(*state, "python3"));
	assert_true(is_among(*state, "java"));
	assert_false(is_among(*state, "bash"));
	assert_false(is_among(*state, "cat"));
	assert_false(is_among(*state, "env"));
	assert_true(count > 150 && count <= RULE_NAMES_LIMIT);
	for (size_t i = 0; i < count; i++) {
		assert_in_range(strlen(names[i]), 1, RULE_EXE_LIMIT);
		assert_null(strchr(names[i], '*'));
	}
}

static void no_name_comes_twice(void **state)
{
	const char *const *names;
	size_t count = rules_names(*state, &names);
	struct map *seen = map_new(sizeof(struct map_text_key), count + 1);

	for (size_t i = 0; i < count; i++) {
		struct map_text_key key = map_text_key(names[i], strlen(names[i]));

		if (map_get(seen, &key))
			fail_msg("%s comes twice", names[i]);
		assert_int_equal(map_put(seen, &key, *state), 0);
	}
	map_free(seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_that_never_match_are_told),
		cmocka_unit_test_setup_teardown(
			every_wrong_rule_of_the_table_is_told_with_its_place, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_users_rule_wins_over_built_in_ones_and_over_earlier_ones, setup,
			teardown),
		cmocka_unit_test_setup_teardown(a_pattern_matches_what_begins_and_ends_like_it,
						setup, teardown),
		cmocka_unit_test(a_later_pattern_wins_whatever_it_begins_with),
		cmocka_unit_test_setup_teardown(
			what_an_exec_means_is_said_by_the_latest_rule_of_its_name, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_excluded_keeps_its_name_and_its_options,
						setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_is_added_by_rules_that_are_partly_wrong,
						setup, teardown),
		cmocka_unit_test_setup_teardown(empty_rules_are_fine, setup, teardown),
		cmocka_unit_test_setup_teardown(beyond_the_caps_rules_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(
			names_hold_engines_tools_and_interpreters_but_no_shells_and_helpers, setup,
			teardown),
		cmocka_unit_test_setup_teardown(no_name_comes_twice, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
