/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Who may read the runs of some users or labels only. */

#define RUNS " status= pipeline= sort=started limit=10 cursor="

static char *literal(const char *text)
{
	return (char *)(uintptr_t)text;
}

static void add_run(struct lake *lake, uint64_t sequence, const char *id, const char *user,
		    const char *key, const char *value)
{
	static Signal__Label label, *labels[] = { &label };
	Signal__Run *run;
	struct made made;

	made_init(&made, sequence);
	run = made_run(&made, id, (double)sequence, 100);
	run->name = literal(id);
	run->user = literal(user);
	run->uid = (uint32_t)sequence;
	signal__label__init(&label);
	label.key = literal(key);
	label.value = literal(value);
	run->labels = labels;
	run->n_labels = 1;
	lake_store(lake, &made);
}

static int fill(void **state)
{
	int rc = lake_setup(state);

	add_run(*state, 1, "one", "ada", "project", "x");
	add_run(*state, 2, "two", "bob", "project", "y");
	add_run(*state, 3, "three", "", "a \"$.key\"", "it's=odd");
	return rc;
}

static const char *list(struct lake *lake, const char *reader)
{
	char params[256];

	snprintf(params, sizeof(params), "reader=%s" RUNS, reader);
	return lake_query(lake, "runs", params, "id");
}

static const char *resolve(struct lake *lake, const char *reader, const char *run)
{
	char params[256];

	snprintf(params, sizeof(params), "reader=%s run=%s", reader, run);
	return lake_query(lake, "resolve", params, "id");
}

#define ADA "{\"users\":[\"ada\"],\"labels\":[]}"
#define X_Y "{\"users\":[],\"labels\":[\"project=x\",\"project=y\"]}"

static void the_runs_of_a_user_or_a_label_are_listed_and_no_other(void **state)
{
	assert_string_equal(list(*state, ""), "three\ntwo\none\n");
	assert_string_equal(list(*state, ADA), "one\n");
	assert_string_equal(list(*state, X_Y), "two\none\n");
	assert_string_equal(list(*state, "{\"users\":[\"bob\"],\"labels\":[\"project=x\"]}"),
			    "two\none\n");
	assert_string_equal(list(*state, "{\"users\":[],\"labels\":[]}"), "");
	assert_string_equal(list(*state, "{\"users\":[\"\"],\"labels\":[\"project=\"]}"), "");
}

static void a_user_without_a_name_is_a_uid(void **state)
{
	assert_string_equal(list(*state, "{\"users\":[\"3\"],\"labels\":[]}"), "three\n");
	assert_string_equal(list(*state, "{\"users\":[\"1\"],\"labels\":[]}"), "");
}

static void a_label_is_compared_as_it_is(void **state)
{
	assert_string_equal(
		list(*state, "{\"users\":[],\"labels\":[\"a~\\\"$.key\\\"=it's=odd\"]}"),
		"three\n");
}

static void a_name_means_a_run_that_may_be_read(void **state)
{
	assert_string_equal(resolve(*state, "", "latest"), "three\n");
	assert_string_equal(resolve(*state, ADA, "latest"), "one\n");
	assert_string_equal(resolve(*state, ADA, "one"), "one\n");
	assert_string_equal(resolve(*state, ADA, "two"), "");
	assert_string_equal(resolve(*state, X_Y, "t"), "two\n");
	assert_string_equal(resolve(*state, "", "t"), "three\ntwo\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fill, lake_teardown)
		TEST(the_runs_of_a_user_or_a_label_are_listed_and_no_other),
		TEST(a_user_without_a_name_is_a_uid),
		TEST(a_label_is_compared_as_it_is),
		TEST(a_name_means_a_run_that_may_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
