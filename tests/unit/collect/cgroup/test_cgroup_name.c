/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "collect/cgroup/cgroup_name.h"

#define TABLE      TESTS_DIR "/unit/collect/data/cgroup_paths.txt"
#define TEXT_BYTES 16384

/* What stands for a longer text in the table. */
static const char *short_form(char letter)
{
	switch (letter) {
	case 'H':
		return "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	case 'I':
		return "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";
	case 'U':
		return "8dbc5577-d0e2-4706-8787-57d52c03ddf2";
	case 'V':
		return "8dbc5577_d0e2_4706_8787_57d52c03ddf2";
	case 'T':
		return "5b2e1d3c4f5a69788796a5b4c3d2e1f0";
	case 'n':
		return "\n";
	case 's':
		return " ";
	}
	fail_msg("the table knows no \\%c", letter);
	return "";
}

/* \{N,text}: returns what follows. */
static const char *repeat(const char *text, char *out, size_t *used)
{
	char *part;
	unsigned long times = strtoul(text, &part, 10);
	size_t len = strcspn(part + 1, "}");

	assert_int_equal(*part, ',');
	for (; times; times--) {
		assert_true(*used + len < TEXT_BYTES);
		memcpy(out + *used, part + 1, len);
		*used += len;
	}
	return part + 1 + len + 1;
}

static void expand(const char *text, char out[TEXT_BYTES])
{
	size_t used = 0;

	while (*text) {
		assert_true(used + 128 < TEXT_BYTES);
		if (*text != '\\') {
			out[used++] = *text++;
		} else if (text[1] == 'x') {
			out[used++] =
				(char)strtoul((const char[]){ text[2], text[3], '\0' }, NULL, 16);
			text += 4;
		} else if (text[1] == '{') {
			text = repeat(text + 2, out, &used);
		} else {
			used = (size_t)(stpcpy(out + used, short_form(text[1])) - out);
			text += 2;
		}
	}
	out[used] = '\0';
}

static const char *field_of(const struct cgroup_name *name, const char *field)
{
	const struct {
		const char *field, *text;
	} fields[] = {
		{ "runtime", name->runtime }, { "id", name->container_id },
		{ "pod", name->pod },         { "qos", name->qos },
		{ "job", name->job_id },      { "step", name->step_id },
		{ "node", name->node },       { "unit", name->unit },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (strcmp(fields[i].field, field) == 0)
			return fields[i].text;
	fail_msg("the table knows no field %s", field);
	return "";
}

static void check_field(const struct cgroup_name *name, const char *field, const char *expected,
			unsigned line)
{
	const char *text = field_of(name, field);

	assert_true(utf8_valid(text, strlen(text)));
	if (strcmp(text, expected) != 0)
		fail_msg("line %u: %s is \"%s\", not \"%s\"", line, field, text, expected);
}

/* One line: what it does not name is empty. */
static void check(char *row, unsigned line)
{
	static const char *const all[] = { "runtime", "id",   "pod",  "qos",
					   "job",     "step", "node", "unit" };
	static char path[TEXT_BYTES], expected[sizeof(all) / sizeof(*all)][TEXT_BYTES];
	struct cgroup_name name;
	char *rest = row, *word = strsep(&rest, " ");

	memset(expected, 0, sizeof(expected));
	expand(word, path);
	while ((word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');
		size_t i = 0;

		assert_non_null(value);
		*value++ = '\0';
		while (i < sizeof(all) / sizeof(*all) && strcmp(all[i], word) != 0)
			i++;
		assert_true(i < sizeof(all) / sizeof(*all));
		expand(value, expected[i]);
	}
	cgroup_name(path, &name);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		check_field(&name, all[i], expected[i], line);
}

static void paths_say_what_the_table_says(void **state)
{
	CLEANUP(fclosep) FILE *file = fopen(TABLE, "re");
	unsigned line = 0, paths = 0;
	static char row[TEXT_BYTES];

	assert_non_null(file);
	while (fgets(row, sizeof(row), file)) {
		line++;
		row[strcspn(row, "\n")] = '\0';
		if (!*row || *row == '#')
			continue;
		check(row, line);
		paths++;
	}
	assert_true(paths >= 80);
}

static void no_path_says_nothing(void **state)
{
	struct cgroup_name name;

	cgroup_name("", &name);
	assert_string_equal(name.runtime, "");
	assert_string_equal(name.container_id, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_say_what_the_table_says),
		cmocka_unit_test(no_path_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
