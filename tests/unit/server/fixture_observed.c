/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_observed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

int64_t lake_metric(struct lake *lake, const char *name)
{
	struct answer answer;
	const char *line;
	char key[96];
	int64_t value;

	snprintf(key, sizeof(key), "\n%s ", name);
	lake_ask(lake, "GET", "/metrics", lake->read, NULL, NULL, 0, &answer);
	line = strstr(answer.body.data, key);
	assert_non_null(line);
	value = strtoll(line + strlen(key), NULL, 10);
	answer_clear(&answer);
	return value;
}

bool lake_audit_has(struct lake *lake, const char *action, const char *subject, const char *result)
{
	struct answer answer;
	bool found = false;
	json_t *body;
	size_t i;
	json_t *entry;

	lake_ask(lake, "GET", "/api/v1/admin/audit", lake->admin, NULL, NULL, 0, &answer);
	body = json_loadb(answer.body.data, answer.body.len, 0, NULL);
	json_array_foreach(json_object_get(body, "audit"), i, entry)
	{
		const char *said = json_string_value(json_object_get(entry, "result"));

		found = found ||
			(strcmp(json_string_value(json_object_get(entry, "action")), action) == 0 &&
			 strstr(json_string_value(json_object_get(entry, "subject")), subject) &&
			 strncmp(said, result, strlen(result)) == 0);
	}
	json_decref(body);
	answer_clear(&answer);
	return found;
}
