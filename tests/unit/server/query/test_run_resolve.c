/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture_batch.h"

/* RUN in a path as a start of several runs: what every path below it answers then. */

#define OTHER "0e9f2c1b-0000-4000-8000-000000000002"

static struct lake lake;

static int start(void **state)
{
	struct example other;

	if (example_serve(&lake, NULL))
		return -1;
	example_run_only(&other, 2, (char[]){ OTHER }, (char[]){ "demo-2" });
	return example_post(&lake, &other, NULL) == 200 ? 0 : -1;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "(none)";
}

static void a_start_of_one_run_is_that_run(void **state)
{
	static const char *const STARTS[] = { "0e9f2c1a", "0e9f2c1a-0000-4000" };

	for (size_t i = 0; i < sizeof(STARTS) / sizeof(STARTS[0]); i++) {
		char path[128];
		json_t *json;

		snprintf(path, sizeof(path), "/api/v1/runs/%s", STARTS[i]);
		json = lake_get(&lake, path, 200);
		assert_string_equal(text(json_object_get(json, "run"), "id"), EXAMPLE_RUN);
		json_decref(json);
	}
}

static void a_start_of_several_is_409_with_candidates_on_every_path(void **state)
{
	static const char *const PARTS[] = { "",         "/tasks",      "/tools",   "/processes",
					     "/files",   "/dataflow",   "/events",  "/parts",
					     "/network", "/gpus",       "/io",      "/syscalls",
					     "/samples", "/containers", "/findings" };

	for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++) {
		char path[128];
		json_t *json;
		const json_t *candidates;

		snprintf(path, sizeof(path), "/api/v1/runs/0e9f2c1%s", PARTS[i]);
		json = lake_get(&lake, path, 409);
		candidates = json_object_get(json, "candidates");
		assert_int_equal(json_array_size(candidates), 2);
		assert_string_equal(text(json, "title"), "Conflict");
		assert_non_null(strstr(text(json, "detail"), "is the start of 2 runs"));
		for (size_t k = 0; k < 2; k++) {
			const char *id = text(json_array_get(candidates, k), "id");

			assert_true(strcmp(id, EXAMPLE_RUN) == 0 || strcmp(id, OTHER) == 0);
		}
		json_decref(json);
	}
}

static void an_exact_name_is_no_start_of_another(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/demo", 200);

	assert_string_equal(text(json_object_get(json, "run"), "id"), EXAMPLE_RUN);
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_of_one_run_is_that_run),
		cmocka_unit_test(a_start_of_several_is_409_with_candidates_on_every_path),
		cmocka_unit_test(an_exact_name_is_no_start_of_another),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
