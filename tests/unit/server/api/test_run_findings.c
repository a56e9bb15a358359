/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture_batch.h"

static struct lake lake;

static int start(void **state)
{
	return example_serve(&lake, NULL);
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

static void what_failed_is_found_and_is_the_verdict(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/findings", 200);
	const json_t *findings = json_object_get(json, "findings"),
		     *verdict = json_object_get(json, "verdict"),
		     *first = json_array_get(findings, 0), *finding;
	size_t i;

	assert_string_equal(text(first, "kind"), "exit_code");
	assert_string_equal(text(first, "severity"), "critical");
	json_array_foreach(findings, i, finding)
	{
		assert_true(json_is_object(json_object_get(finding, "evidence")));
		assert_true(strlen(text(finding, "advice")) > 0);
		assert_true(strlen(text(finding, "confidence")) > 0);
	}
	assert_int_equal(strncmp(text(verdict, "text"), "Failed after ", 13), 0);
	assert_non_null(strstr(text(verdict, "text"), text(verdict, "short")));
	assert_int_equal(json_integer_value(json_object_get(verdict, "failed_tools")), 0);
	assert_true(json_is_true(json_object_get(json, "asked")));
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_failed_is_found_and_is_the_verdict),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
