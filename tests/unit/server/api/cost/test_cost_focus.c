/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "fixture_history.h"

#define DAY_S 86400
#define USD   INT64_C(1000000000)

static struct lake lake;

static int start(void **state)
{
	static const struct history_run runs[] = {
		{ "r1", 1 * DAY_S, 1, "1", 0 },
		{ "r0", 3600, 1, "1", 0 },
	};
	char path[128];
	FILE *file;

	lake_make(&lake);
	snprintf(path, sizeof(path), "%s/cost.yaml", lake.folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("machines: [{hosts: node-1, usd_year: 3504}]\n", file);
	assert_int_equal(fclose(file), 0);
	lake_start(&lake, (const char *[]){ "--cost-file", path, NULL });
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		history_post(&lake, &runs[i], i + 1);
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

static void ask(const char *query, int status, struct answer *ret)
{
	char path[128];

	snprintf(path, sizeof(path), "/api/v1/cost/focus%s", query);
	lake_ask(&lake, "GET", path, lake.read, "", NULL, 0, ret);
	assert_int_equal(ret->status, status);
}

/* Σ BilledCost, the second column, in nano-dollars; the first one has no quotes here. */
static int64_t sum_of(const struct answer *answer, size_t *ret_rows)
{
	int64_t sum = 0;

	*ret_rows = 0;
	for (const char *line = strchr(answer->body.data, '\n'); line && line[1];
	     line = strchr(line + 1, '\n'), ++*ret_rows) {
		char *point;
		int64_t whole = strtoll(strchr(line, ',') + 1, &point, 10);

		assert_int_equal(*point, '.');
		sum += whole * USD + strtoll(point + 1, NULL, 10);
	}
	return sum;
}

static void the_file_is_csv_with_the_columns_first(void **state)
{
	CLEANUP(answer_clear) struct answer answer = { 0 };

	ask("?days=3", 200, &answer);
	assert_string_equal(answer_header(&answer, "Content-Type"), "text/csv; charset=utf-8");
	assert_int_equal(
		strncmp(answer.body.data, "AvailabilityZone,BilledCost,BillingAccountId,", 45), 0);
	assert_non_null(strstr(answer.body.data, "Task align (S1) of run r1, on node-1"));
	assert_non_null(strstr(answer.body.data, "\"\"tracer:tool\"\":\"\"bwa mem\"\""));
}

static void hours_and_days_add_up_to_the_same(void **state)
{
	CLEANUP(answer_clear) struct answer days = { 0 }, hours = { 0 };
	size_t day_rows, hour_rows;

	ask("?days=3", 200, &days);
	ask("?days=3&over=hour", 200, &hours);
	assert_true(sum_of(&days, &day_rows) > USD / 100);
	assert_int_equal(sum_of(&days, &day_rows), sum_of(&hours, &hour_rows));
	assert_true(day_rows >= 2 * HISTORY_TASKS && hour_rows >= day_rows);
}

static void a_time_without_anything_has_the_columns_alone(void **state)
{
	CLEANUP(answer_clear) struct answer answer = { 0 };
	size_t rows;

	ask("?since=2001-01-01&until=2001-02-01T10:30Z", 200, &answer);
	assert_int_equal(sum_of(&answer, &rows), 0);
	assert_int_equal(rows, 0);
}

static void times_that_are_none_are_refused(void **state)
{
	static const char *const queries[] = {
		"?since=yesterday",
		"?since=2026-02-31",
		"?since=2026-11-29T25:00Z",
		"?since=2026-11-29x",
		"?until=1969-01-01",
		"?since=2026-11-29&until=2026-11-29",
		"?since=2026-11-30&until=2026-11-29",
		"?over=week",
	};

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		CLEANUP(answer_clear) struct answer answer = { 0 };

		ask(queries[i], 400, &answer);
	}
}

/* More than may be sent at once, one after the other: each file is let go of at its end. */
static void files_are_let_go_of(void **state)
{
	for (size_t i = 0; i < 12; i++) {
		CLEANUP(answer_clear) struct answer answer = { 0 };

		ask("?days=3", 200, &answer);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_is_csv_with_the_columns_first),
		cmocka_unit_test(hours_and_days_add_up_to_the_same),
		cmocka_unit_test(a_time_without_anything_has_the_columns_alone),
		cmocka_unit_test(times_that_are_none_are_refused),
		cmocka_unit_test(files_are_let_go_of),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
