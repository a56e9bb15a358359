/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "lake/store/store.h"
#include "new_store.h"
#include "server/query/query.h"
#include "server/server.h"
#include "server/sweep/sweep_record.h"
#include "sweep/sweep.h"

/* What sweeps found goes on over a restart of the lake, but for what ended meanwhile. */

#define S INT64_C(1000000000)

static struct server server;
static char folder[] = "/tmp/tracer-sweep-record-XXXXXX";
static struct sweep_policy policy;

/* The lake takes a batch now. */
static int64_t hear(void)
{
	static uint64_t sequence;
	Signal__Batch batch = SIGNAL__BATCH__INIT;
	struct error err = { "" };
	bool duplicate;

	batch.host_id = batch.agent_id = batch.boot_id = (char *)(uintptr_t) "a";
	batch.sequence = ++sequence;
	if (store_ingest(server.store, &batch, &duplicate, &err))
		fail_msg("%s", err.text);
	return clock_real_ns() / 1000 * 1000; /* as the store has instants */
}

/* The first sweep of a lake that was started at an instant. */
static void sweep(int64_t started_at, int64_t since_at)
{
	static char id[] = "host", text[] = "x", evidence[] = "{}";
	struct waste waste = { .kind = "host_idle",
			       .subject = WASTE_HOST,
			       .id = id,
			       .name = id,
			       .summary = text,
			       .evidence = evidence,
			       .since_at = since_at,
			       .nusd_hour = S,
			       .claimed_nusd = S,
			       .paid_share = 1 };
	const struct wastes found = { &waste, 1, 1 };
	const struct sweep_input input = { .now_at = started_at + 60 * S, .policy = &policy };
	struct sweep_record *record = NULL;
	struct error err = { "" };

	if (sweep_record_load(&record, &server, started_at, &err) ||
	    sweep_record_note(record, &server, &input, &found, NULL, &err))
		fail_msg("%s", err.text);
	sweep_record_free(record);
}

/* "SINCE OUTCOME;" of each, since in s after an instant. */
static const char *wastes(int64_t after)
{
	const struct store_param params[] = { PARAM_TIME("since_at", 0), PARAM_I64("limit", 10) };
	static char text[256];
	struct store_rows *rows = NULL;
	struct error err = { "" };
	size_t len = 0;

	if (QUERY(&server, "wastes", params, &rows, &err))
		fail_msg("%s", err.text);
	text[0] = '\0';
	while (store_next(rows)) {
		int64_t ended_at = row_i64(rows, "ended_at");

		assert_true(ended_at <= after);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%lld %s;",
					(long long)((row_i64(rows, "since_at") - after) / S),
					row_text(rows, "outcome"));
	}
	store_rows_free(rows);
	return text;
}

static int begin(void **state)
{
	char path[64];
	struct store_options options = { .path = path };
	struct error err = { "" };

	(void)state;
	assert_non_null(mkdtemp(folder));
	sweep_policy_init(&policy);
	snprintf(path, sizeof(path), "%s/tracer.duckdb", folder);
	new_store_copy(path);
	if (store_open(&server.store, &options, &err))
		fail_msg("%s", err.text);
	return 0;
}

static int end(void **state)
{
	(void)state;
	store_close(server.store);
	file_remove_tree(folder);
	return 0;
}

static void what_began_while_the_lake_was_down_is_another_waste(void **state)
{
	int64_t heard = hear();

	(void)state;
	sweep(heard - 900 * S, heard - 1000 * S);
	/* Its agent was started again meanwhile, and nothing used it. */
	sweep(heard + 3600 * S, heard - 500 * S);
	assert_string_equal(wastes(heard), "-1000 ;");
	/* It was used, and is idle since half an hour before the start. */
	sweep(heard + 7200 * S, heard + 5400 * S);
	assert_string_equal(wastes(heard), "5400 ;-1000 used;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_began_while_the_lake_was_down_is_another_waste),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
