/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_answers.h"

#include "base/buffer.h"
#include "lake/duckdb/duckdb_engine.h"
#include "lake/store/store_use.h"
#include "lake/store/upkeep/upkeep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Rows that a lake never writes, each with the words by which the check reports it. */
static const struct {
	const char *sql, *words;
} BREAKS[] = {
	{ "DELETE FROM execution_keys WHERE execution_key IN (SELECT execution_key FROM "
	  "samples_packed LIMIT 1)",
	  "samples of no execution" },
	{ "INSERT INTO execution_keys FROM execution_keys LIMIT 1",
	  "with a number that is stored twice" },
	{ "UPDATE samples_packed SET batch_key = 1000000",
	  "samples of batches that the ledger lacks" },
	{ "INSERT INTO ledger FROM ledger LIMIT 1", "batches that are in the ledger twice" },
};

static size_t faults_of(struct lake *lake, struct buffer *report)
{
	const struct upkeep silent = { 0 };
	struct error err = { "" };
	size_t faults = 0;

	buffer_init(report, 0);
	if (upkeep_check(lake->store, &silent, report, &faults, &err))
		fail_msg("check: %s", error_text(&err));
	return faults;
}

static void run(struct lake *lake, const char *sql)
{
	struct duckdb_engine *engine = lake->store->engine;
	struct error err = { "" };

	if (duckdb_run(duckdb_writer_connection(engine->writer), sql, "test", &err))
		fail_msg("%s", error_text(&err));
}

static void rows_that_do_not_agree_are_found(void **state)
{
	for (size_t i = 0; i < sizeof(BREAKS) / sizeof(BREAKS[0]); i++) {
		struct buffer report;
		struct lake lake;

		lake_make(&lake);
		lake_store_recording(&lake, "runs/restarted.rec");
		assert_int_equal(faults_of(&lake, &report), 0);
		buffer_clear(&report);
		run(&lake, BREAKS[i].sql);
		assert_true(faults_of(&lake, &report) > 0);
		if (!strstr(report.data, BREAKS[i].words))
			fail_msg("'%s' lacks '%s'", report.data, BREAKS[i].words);
		buffer_clear(&report);
		lake_remove(&lake);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_that_do_not_agree_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
