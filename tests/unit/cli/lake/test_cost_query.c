/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>

#include "base/error.h"
#include "cli/lake/cost_query.h"

static struct cost_query query_of(void)
{
	static char none[] = "", by[] = "pipeline";

	return (struct cost_query){ .by = by,
				    .since = none,
				    .until = none,
				    .days = 30,
				    .over = none,
				    .split = none,
				    .pipeline = none,
				    .run = none,
				    .step = none,
				    .task = none,
				    .sample = none,
				    .user = none,
				    .host = none,
				    .label = none,
				    .limit = 1000 };
}

static void takes(char **member, const char *value, struct cost_query *query, const char *words)
{
	char *before = *member, copy[64];
	struct error err = { 0 };

	strcpy(copy, value);
	*member = copy;
	assert_int_equal(cost_query_check(query, &err), words ? -EINVAL : 0);
	if (words && !strstr(error_text(&err), words))
		fail_msg("\"%s\" lacks \"%s\"", error_text(&err), words);
	*member = before;
}

static void what_the_lake_does_not_know_is_refused_with_words(void **state)
{
	struct cost_query query = query_of();

	takes(&query.by, "label:project", &query, NULL);
	takes(&query.by, "cost_centre", &query, NULL);
	takes(&query.by, "label", &query, "--by takes pipeline, run");
	takes(&query.by, "label:", &query, "--by takes pipeline, run");
	takes(&query.by, "colour", &query, "--by takes pipeline, run");
	takes(&query.over, "day", &query, NULL);
	takes(&query.over, "week", &query, "--over takes hour or day");
	takes(&query.split, "aws", &query, NULL);
	takes(&query.split, "evenly", &query, "--split takes held or aws");
	takes(&query.since, "2026-11-31", &query, "2026-11-31 is no time");
	takes(&query.until, "tomorrow", &query, "tomorrow is no time");
	query.until = (char[]){ "2026-11-01" };
	takes(&query.since, "2026-10-31", &query, NULL);
	takes(&query.since, "2026-11-01", &query, "--until is not after --since");
}

static void the_window_ends_now_unless_told(void **state)
{
	struct cost_query query = query_of();
	int64_t since_s, until_s;

	cost_query_window(&query, 1796000000, &since_s, &until_s);
	assert_int_equal(until_s, 1796000000);
	assert_int_equal(since_s, 1796000000 - 30 * 86400);
	query.until = (char[]){ "2026-11-02" };
	cost_query_window(&query, 1796000000, &since_s, &until_s);
	assert_int_equal(until_s, 1793577600);
	assert_int_equal(since_s, 1793577600 - 30 * 86400);
	query.since = (char[]){ "2026-11-01T12:30Z" };
	cost_query_window(&query, 1796000000, &since_s, &until_s);
	assert_int_equal(since_s, 1793536200);
}

/* Without a run or a host the lake is not asked. */
static void becomes(const struct cost_query *query, const char *expected)
{
	struct common common = { .json = false };
	struct error err = { 0 };
	struct buffer path;

	buffer_init(&path, 4096);
	assert_int_equal(cost_query_path(query, &common, "/cost", &path, &err), 0);
	assert_string_equal(path.data, expected);
	buffer_clear(&path);
}

static void a_path_has_what_was_given_encoded(void **state)
{
	struct cost_query query = query_of();

	assert_false(cost_query_selects(&query));
	becomes(&query, "/cost?by=pipeline&days=30&limit=1000");
	query.by = (char[]){ "label:project" };
	query.since = (char[]){ "2026-11-01T00:00Z" };
	query.over = (char[]){ "day" };
	query.user = (char[]){ "a&b=c" };
	query.label = (char[]){ "project=x:y=z" };
	becomes(&query, "/cost?by=label%3Aproject&since=2026-11-01T00%3A00Z&over=day&user=a%26b%3Dc"
			"&label=project%3Ax%3Ay%3Dz&limit=1000");
	query.label = (char[]){ "project:x=y" };
	becomes(&query, "/cost?by=label%3Aproject&since=2026-11-01T00%3A00Z&over=day&user=a%26b%3Dc"
			"&label=project%3Ax%3Dy&limit=1000");
	assert_true(cost_query_selects(&query));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_lake_does_not_know_is_refused_with_words),
		cmocka_unit_test(the_window_ends_now_unless_told),
		cmocka_unit_test(a_path_has_what_was_given_encoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
