/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"

/* Which run a person means by an id, a name, or the start of one. */

static void add(struct made *made, const char *id, const char *name, const char *pipeline,
		double begin)
{
	Signal__Run *run = made_run(made, id, begin, begin + 5);

	run->name = (char *)(uintptr_t)name;
	run->pipeline = (char *)(uintptr_t)pipeline;
}

static int setup(void **state)
{
	static struct lake lake;
	struct made made;

	lake_make(&lake);
	made_init(&made, 1);
	add(&made, "aa11", "rnaseq-aa11", "rnaseq", 10);
	add(&made, "ab22", "rnaseq-ab22", "rnaseq", 20);
	add(&made, "bc33", "nightly", "variants", 30);
	add(&made, "cd44", "nightly", "variants", 40);
	add(&made, "de55", "a_b", "axb", 50);
	add(&made, "ef66", "axb%c", "other", 60);
	add(&made, "f077", "mine", "chip", 5);
	made.batch.runs[6]->engine = "nextflow";
	made.batch.runs[6]->command = "nextflow run main.nf -name special_gautier -resume";
	lake_store(&lake, &made);
	*state = &lake;
	return 0;
}

static void query_gives(struct lake *lake, const char *query, const char *run, const char *expected)
{
	char params[96];

	(void)snprintf(params, sizeof(params), "run=%s", run);
	assert_string_equal(lake_query(lake, query, params, "id"), expected);
}

static void means(struct lake *lake, const char *run, const char *expected)
{
	query_gives(lake, "resolve", run, expected);
}

static void the_previous_run_is_the_last_one_of_the_pipeline(void **state)
{
	assert_string_equal(lake_query(*state, "run_previous", "run=ab22 reader=", "id"), "aa11\n");
	assert_string_equal(lake_query(*state, "run_previous", "run=aa11 reader=", "id"), "");
	assert_string_equal(lake_query(*state, "run_previous", "run=ef66 reader=", "id"), "");
	assert_string_equal(lake_query(*state, "run_previous",
				       "run=ab22 reader={\"users\":[],\"labels\":[]}", "id"),
			    "");
}

static void a_whole_id_needs_no_search(void **state)
{
	query_gives(*state, "resolve_id", "aa11", "aa11\n");
	query_gives(*state, "resolve_id", "aa1", "");
	query_gives(*state, "resolve_id", "nightly", "");
	query_gives(*state, "resolve_id", "latest", "");
	query_gives(*state, "resolve_id", "", "");
}

static void what_is_whole_is_sought_before_any_start(void **state)
{
	means(*state, "aa11", "aa11\n");
	means(*state, "nightly", "cd44\n"); /* the newest of that name */
	means(*state, "special_gautier", "f077\n");
	means(*state, "rnaseq", "ab22\n"); /* a pipeline, though two names begin so */
	means(*state, "variants", "cd44\n");
	means(*state, "axb", "de55\n");
	means(*state, "latest", "ef66\n");
}

static void a_start_of_one_is_it(void **state)
{
	means(*state, "aa", "aa11\n");
	means(*state, "bc", "bc33\n");
	means(*state, "night", "cd44\n"); /* of one name, the newest that has it */
	means(*state, "special_", "f077\n");
	means(*state, "vari", "cd44\n");
	means(*state, "rnaseq-ab", "ab22\n");
	means(*state, "lates", "");
	means(*state, "NIGHTLY", "");
}

static void a_start_of_several_lists_them_the_newest_first(void **state)
{
	means(*state, "rnaseq-a", "ab22\naa11\n");
	means(*state, "rna", "ab22\naa11\n");
	means(*state, "a", "ef66\nde55\nab22\naa11\n");
	assert_string_equal(lake_query(*state, "resolve", "run=rna", "name matches"),
			    "rnaseq-ab22 2\nrnaseq-aa11 2\n");
}

static void no_character_stands_for_others(void **state)
{
	means(*state, "a_", "de55\n"); /* and not axb */
	means(*state, "axb%", "ef66\n");
	means(*state, "%", "");
	means(*state, "_", "");
	means(*state, "a%", "");
}

static void of_many_twenty_are_listed_and_all_counted(void **state)
{
	static char ids[30][16];
	struct made made;

	made_init(&made, 2);
	for (int i = 0; i < 30; i++) {
		(void)snprintf(ids[i], sizeof(ids[i]), "many-%02d", i);
		add(&made, ids[i], ids[i], "crowd", 100 + i);
	}
	lake_store(*state, &made);
	assert_non_null(strstr(lake_query(*state, "resolve", "run=many", "id matches"),
			       "many-29 30\nmany-28 30\n"));
	assert_null(strstr(lake_query(*state, "resolve", "run=many", "id"), "many-09\n"));
	assert_non_null(strstr(lake_query(*state, "resolve", "run=many", "id"), "many-10\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_previous_run_is_the_last_one_of_the_pipeline),
		cmocka_unit_test(a_whole_id_needs_no_search),
		cmocka_unit_test(what_is_whole_is_sought_before_any_start),
		cmocka_unit_test(a_start_of_one_is_it),
		cmocka_unit_test(a_start_of_several_lists_them_the_newest_first),
		cmocka_unit_test(no_character_stands_for_others),
		cmocka_unit_test(of_many_twenty_are_listed_and_all_counted),
	};

	return cmocka_run_group_tests(tests, setup, lake_teardown);
}
