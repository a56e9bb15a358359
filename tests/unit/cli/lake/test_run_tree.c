/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/lake/run_tree.h"

/* Rows "ID:PARENT …" in order, as "NAME" lines after it. */
static void assert_order(const char *text, const char *expected)
{
	json_t *rows = json_array(), *ordered, *row;
	char words[256], got[512] = "", *save = NULL;
	size_t i, used = 0;

	(void)snprintf(words, sizeof(words), "%s", text);
	for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *parent = strchr(word, ':');

		*parent++ = '\0';
		json_array_append_new(rows, json_pack("{s:s, s:s, s:s?}", "id", word, "name", word,
						      "parent_run", *parent ? parent : NULL));
	}
	ordered = run_tree_order(rows);
	json_array_foreach(ordered, i, row) used +=
		(size_t)snprintf(got + used, sizeof(got) - used, "%s\n",
				 json_string_value(json_object_get(row, "name")));
	assert_string_equal(got, expected);
	json_decref(ordered);
	json_decref(rows);
}

static void runs_stand_behind_the_run_they_were_started_in(void **state)
{
	assert_order("d: c:a b:a a: e:b", "d\na\n  c\n  b\n    e\n");
}

static void a_run_whose_parent_is_not_listed_stays_where_it_is(void **state)
{
	assert_order("b:x a: c:", "b\na\nc\n");
}

static void no_run_is_left_out_even_where_they_say_to_be_in_one_another(void **state)
{
	assert_order("a:b b:a c:", "a\nb\nc\n");
	assert_order("a:a", "a\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_stand_behind_the_run_they_were_started_in),
		cmocka_unit_test(a_run_whose_parent_is_not_listed_stays_where_it_is),
		cmocka_unit_test(no_run_is_left_out_even_where_they_say_to_be_in_one_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
