/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_sql.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/duckdb/figures/duckdb_figure_sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The functions of SQL that sum up figures. */

/* Samples (at, until, figures) of which user_ns (1) adds up, rss_bytes (12) is a level and
 * rss_peak_bytes (13) a peak. */
#define SAMPLES(rows) "FROM (VALUES " rows ") AS t(until_at, user, rss, peak)"
#define PACKED        "pack_figures([user, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, rss, peak])"
#define SUM(rows)                                                                         \
	"SELECT f.user_ns || ' ' || f.rss_bytes || ' ' || f.rss_peak_bytes FROM (SELECT " \
	"unpack_figures(sum_figures(" PACKED                                              \
	", make_timestamp(until_at))) AS f " SAMPLES(rows) ")"

static const struct {
	const char *what, *sql, *expected;
} SUMS[] = {
	{ "of one sample", SUM("(1, 2, 3, 4)"), "2 3 4" },
	{ "sums, the latest level, the largest peak",
	  SUM("(5, 1, 10, 3), (9, 2, 20, 9), (7, 4, 30, 1)"), "7 20 9" },
	{ "a level of nothing at the latest time", SUM("(5, 1, 10, 3), (9, 2, 0, 0)"), "3 0 3" },
	{ "a level without a time is left out", SUM("(NULL, 1, 10, 3), (4, 0, 7, 1)"), "1 7 3" },
	{ "no time at all", SUM("(NULL, 1, 10, 3), (NULL, 2, 10, 3)"), "3 0 3" },
	{ "a sum is cut", SUM("(1, 1152921504606846976, 0, 0), (2, 1152921504606846976, 0, 0)"),
	  "1152921504606846976 0 0" },
	{ "no sample", "SELECT octet_length(sum_figures(NULL::BLOB, NULL::TIMESTAMP))", "0" },
	{ "by group, of many rows",
	  "SELECT bool_and(f.user_ns = 1000 * key AND f.rss_bytes = 999) FROM (SELECT i % 7 AS key, "
	  "unpack_figures(sum_figures(pack_figures([i % 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i // 7]), "
	  "make_timestamp(i))) AS f FROM range(7000) AS t(i) GROUP BY key)",
	  "true" },
	{ "damaged", "SELECT sum_figures('\\x08\\xFF'::BLOB, NULL::TIMESTAMP)",
	  "the figures of a sample are damaged" },
};

static void samples_are_summed_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(SUMS) / sizeof(SUMS[0]); i++)
		assert_sql(SUMS[i].what, SUMS[i].sql, SUMS[i].expected);
}

/* A call with samples that sum up to user_ns 7, rss_bytes 8 and rss_peak_bytes 9, or none; and a
 * record with `record` in each figure. */
struct call {
	const char *what, *sampled, *until, *open, *runs, *record, *expected;
};

#define SEVEN "pack_figures([7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 9])"
#define AT    "make_timestamp(5)"

static const struct call CALLS[] = {
	{ "closed", "NULL", "NULL", "false", "false", "i", "3 3 3" },
	{ "closed, with samples", SEVEN, AT, "false", "false", "i", "7 3 9" },
	{ "it runs", SEVEN, AT, "true", "true", "i", "7 8 9" },
	{ "it runs, and its record is newer", SEVEN, AT, "true", "true", "10 * i", "30 8 30" },
	{ "it runs, without samples", "NULL", "NULL", "true", "true", "i", "3 3 3" },
	{ "it runs, with samples of no time", SEVEN, "NULL", "true", "true", "i", "7 3 9" },
	{ "it was lost", SEVEN, AT, "true", "false", "i", "7 0 9" },
	{ "a record without values", SEVEN, AT, "true", "true", "NULL::BIGINT", "7 8 9" },
	{ "damaged samples", "'\\x08'::BLOB", AT, "true", "true", "i",
	  "the figures of a sample are damaged" },
};

/* rows: of which the function is asked; ret: "user_ns rss_bytes rss_peak_bytes" of it. */
static void add_call(struct buffer *sql, const char *function, const struct call *call,
		     const char *rows)
{
	buffer_printf(sql,
		      "SELECT f.user_ns || ' ' || f.rss_bytes || ' ' || f.rss_peak_bytes FROM "
		      "(SELECT %s(%s, %s, %s, %s",
		      function, call->sampled, call->until, call->open, call->runs);
	for (size_t i = 0; i < FIGURES_COUNT; i++)
		buffer_printf(sql, ", %s", call->record);
	buffer_printf(sql, ") AS f FROM range(%s) AS t(i))", rows);
}

static void an_execution_has_the_larger_of_record_and_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(CALLS) / sizeof(CALLS[0]); i++) {
		static const char *const FUNCTIONS[] = { "figures_now", "total_figures" };

		for (size_t k = 0; k < 2; k++) {
			CLEANUP(buffer_clear) struct buffer sql = { 0 };

			buffer_init(&sql, 0);
			add_call(&sql, FUNCTIONS[k], &CALLS[i], "3, 4");
			assert_sql(CALLS[i].what, sql.data, CALLS[i].expected);
		}
	}
}

static void figures_of_executions_add_up(void **state)
{
	const struct call closed = { "", "NULL", "NULL", "false", "false", "i", "" };
	const struct call many = { "", SEVEN, AT, "true", "true", "1152921504606846976", "" };
	CLEANUP(buffer_clear) struct buffer sql = { 0 };

	(void)state;
	buffer_init(&sql, 0);
	add_call(&sql, "total_figures", &closed, "10000");
	assert_sql("of closed ones", sql.data, "49995000 49995000 9999");
	buffer_reset(&sql);
	add_call(&sql, "total_figures", &many, "100");
	assert_sql("more than 64 bits", sql.data, "115292150460684697600 800 1152921504606846976");
	buffer_reset(&sql);
	add_call(&sql, "figures_now", &closed, "10000");
	buffer_append_text(&sql, " ORDER BY f.user_ns DESC LIMIT 1");
	assert_sql("of each row its own", sql.data, "9999 9999 9999");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_summed_up),
		cmocka_unit_test(an_execution_has_the_larger_of_record_and_samples),
		cmocka_unit_test(figures_of_executions_add_up),
	};

	int failed;

	sql_open(NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	sql_close();
	return failed;
}
