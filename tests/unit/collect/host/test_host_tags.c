/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "collect/host/host_tags.h"

static const struct {
	const char *key, *value, *sent;
} rows[] = {
	{ "project", "x", "x" },
	{ "Name", "node 1 = one", "node 1 = one" },
	{ "aws:autoscaling:groupName", "workers", "workers" },
	{ "empty", "", "" },
	{ "db_password", "hunter2", "***" },
	{ "api_token", "0123456789", "***" },
	{ "note", "AKIAIOSFODNN7EXAMPLE", "***" },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void what_looks_like_a_secret_is_masked(void **state)
{
	CLEANUP(cloud_machine_clear) struct cloud_machine machine;
	CLEANUP(host_tags_clear) struct host_tags tags = { 0 };

	cloud_machine_init(&machine, "aws");
	for (size_t i = 0; i < ROWS; i++)
		assert_true(cloud_machine_add_tag(&machine, rows[i].key, rows[i].value));
	host_tags_take(&tags, &machine);
	host_tags_take(&tags, &machine); /* replaces */
	assert_int_equal(tags.count, ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		assert_string_equal(tags.list[i]->key, rows[i].key);
		assert_string_equal(tags.list[i]->value, rows[i].sent);
	}
}

static void the_longest_tags_fit(void **state)
{
	CLEANUP(cloud_machine_clear) struct cloud_machine machine;
	CLEANUP(host_tags_clear) struct host_tags tags = { 0 };
	char key[CLOUD_TAG_KEY + 1] = "", value[CLOUD_TAG_VALUE + 1] = "";

	memset(key, 'k', CLOUD_TAG_KEY);
	memset(value, ' ', CLOUD_TAG_VALUE);
	cloud_machine_init(&machine, "aws");
	for (size_t i = 0; i < CLOUD_TAGS_MAX; i++)
		assert_true(cloud_machine_add_tag(&machine, key, value));
	host_tags_take(&tags, &machine);
	assert_int_equal(tags.count, CLOUD_TAGS_MAX);
	assert_int_equal(strlen(tags.list[CLOUD_TAGS_MAX - 1]->value), CLOUD_TAG_VALUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_looks_like_a_secret_is_masked),
		cmocka_unit_test(the_longest_tags_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
