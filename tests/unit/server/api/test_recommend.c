/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture_history.h"
#include "fixture_token.h"

/* Two runs of user "ada"; "bob" has none. Their tasks ask for 4 CPUs and 8 GiB. */
#define PATH  "/api/v1/recommend"
#define FLEET PATH "?days=2&providers=aws&families=m5&purchase=on_demand"

static struct lake lake;
static char by_bob[TOKEN_SECRET_SIZE];

static int start(void **state)
{
	static const struct history_run runs[] = { { "run-1", 9000, 1, "0.7.17", 0 },
						   { "run-2", 5000, 1, "0.7.17", 0 } };

	static const char *const SOON[] = { "--settle-after", "1s", NULL };

	(void)state;
	lake_make(&lake);
	lake_start(&lake, SOON);
	for (size_t i = 0; i < 2; i++)
		history_post(&lake, &runs[i], i + 1);
	history_wait(&lake, 2);
	TOKEN_MAKE(&lake, by_bob, NULL, "--scope", "read", "--user", "bob");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	return lake_end(&lake);
}

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static void the_tasks_of_the_last_days_get_machines(void **state)
{
	json_t *answer = lake_get(&lake, FLEET, 200);
	const json_t *measured = json_object_get(answer, "measured"), *candidate;
	size_t i;

	(void)state;
	assert_true(json_is_null(json_object_get(answer, "refused")));
	assert_true(number(answer, "runs") == 2);
	assert_true(number(measured, "hosts") == 1 && number(measured, "cpus") == 4);
	assert_true(json_array_size(json_object_get(answer, "candidates")) > 0);
	json_array_foreach(json_object_get(answer, "candidates"), i, candidate)
	{
		assert_true(number(candidate, "cpus") >= 4);
		assert_true(number(candidate, "memory_bytes") * 0.9 >= 8.0 * (1 << 30));
		assert_true(number(candidate, "wall_s") >= 240);
		assert_true(number(candidate, "cost_usd") > 0);
	}
	json_decref(answer);
}

static json_t *get_as(const char *secret, const char *path)
{
	struct answer answer;
	json_t *document;

	lake_ask(&lake, "GET", path, secret, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	document = json_loads(answer.body.data, 0, NULL);
	assert_non_null(document);
	answer_clear(&answer);
	return document;
}

static void only_runs_that_may_be_read_are_looked_at(void **state)
{
	json_t *answer = get_as(by_bob, FLEET);

	(void)state;
	assert_true(json_is_string(json_object_get(answer, "refused")));
	assert_true(json_is_null(json_object_get(answer, "runs")));
	assert_true(json_is_null(json_object_get(json_object_get(answer, "measured"), "cost_usd")));
	assert_int_equal(json_array_size(json_object_get(answer, "candidates")), 0);
	json_decref(answer);
	assert_int_equal(token_get(&lake, by_bob, PATH "?run=run-1"), 404);
	assert_int_equal(token_get(&lake, by_bob, PATH "?pipeline=variants"), 404);
}

static void names_that_nothing_has_are_refused(void **state)
{
	static const struct {
		const char *question, *words;
	} cases[] = {
		{ "?purchase=spott",
		  "purchase: nothing is called \"spott\"; there are on_demand, spot" },
		{ "?arch=sparc",
		  "arch: nothing is called \"sparc\"; there are x86_64, arm64, any" },
		{ "?providers=aws,azure",
		  "providers: nothing is called \"azure\"; there are aws, gcp" },
		{ "?regions=us-*,mars-1", "regions: nothing is called \"mars-1\"" },
		{ "?types=c7i", "no type is called \"c7i\"; that is a family: families" },
		{ "?families=c7i.large",
		  "no family is called \"c7i.large\"; that is a type: types" },
		{ "?types=m6i.*,m6x.*", "types: nothing is called \"m6x.*\"" },
		{ "?types=m6i.*,c7i.large&families=m6i,c7*&regions=us-*&purchase=spot&arch=any&providers=aws",
		  NULL },
	};
	char path[192];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *answer;

		(void)snprintf(path, sizeof(path), PATH "%s", cases[i].question);
		answer = lake_get(&lake, path, cases[i].words ? 400 : 200);
		if (cases[i].words)
			assert_string_equal(json_string_value(json_object_get(answer, "detail")),
					    cases[i].words);
		json_decref(answer);
	}
}

static void what_cannot_be_asked_is_refused(void **state)
{
	static const char *const questions[] = {
		"?within=soon",   "?within=-1",      "?by=yesterday",     "?by=2020-01-01",
		"?below=0",       "?machine=cpus=2", "?run=a&pipeline=b", "?headroom=91",
		"?burstable=yes", "?limit=0",        "?colour=red",
	};
	char path[128];

	(void)state;
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		print_message("%s\n", questions[i]);
		(void)snprintf(path, sizeof(path), PATH "%s", questions[i]);
		json_decref(lake_get(&lake, path, 400));
	}
	json_decref(lake_get(&lake, PATH "?run=nope", 404));
	json_decref(lake_get(&lake, PATH "?pipeline=nope", 404));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tasks_of_the_last_days_get_machines),
		cmocka_unit_test(only_runs_that_may_be_read_are_looked_at),
		cmocka_unit_test(what_cannot_be_asked_is_refused),
		cmocka_unit_test(names_that_nothing_has_are_refused),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
