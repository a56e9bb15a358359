/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "../fixture_batch.h"
#include "lake/store/store.h"
#include "wait.h"

/* The lake settles a run some time after its last record: its pages are the same then, also behind
 * a restart, and findings and wall time are read, not made again. */

#define RUN "/api/v1/runs/" EXAMPLE_RUN

static const char *const PAGES[] = {
	"/api/v1/runs",
	RUN,
	RUN "/tasks",
	RUN "/tools",
	RUN "/tools?all=true",
	RUN "/dataflow",
	RUN "/findings",
	RUN "/events",
	RUN "/samples",
	RUN "/samples?by=task",
	RUN "/samples?by=tool",
	RUN "/samples?by=share",
	RUN "/samples?by=task&figures=use",
};
#define PAUSE_US    200000
#define PAGES_COUNT (sizeof(PAGES) / sizeof(PAGES[0]))

static const char *const LATER[] = { "--settle-after", "3600s", NULL };
static const char *const SOON[] = { "--settle-after", "1s", NULL };

static void ask_pages(const struct lake *lake, char *ret[PAGES_COUNT])
{
	for (size_t i = 0; i < PAGES_COUNT; i++) {
		json_t *answer = lake_get(lake, PAGES[i], 200);

		ret[i] = json_dumps(answer,
				    JSON_SORT_KEYS | JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		assert_non_null(ret[i]);
		json_decref(answer);
	}
}

static void free_pages(char *pages[PAGES_COUNT])
{
	for (size_t i = 0; i < PAGES_COUNT; i++)
		free(pages[i]);
}

static void assert_pages(const struct lake *lake, char *const want[PAGES_COUNT])
{
	char *have[PAGES_COUNT];

	ask_pages(lake, have);
	for (size_t i = 0; i < PAGES_COUNT; i++)
		assert_string_equal(have[i], want[i]);
	free_pages(have);
}

/* How many runs this start of the lake settled. */
static unsigned long settled(const struct lake *lake)
{
	static const char name[] = "\ntracer_lake_settled_runs_total ";
	struct answer answer;
	const char *line;
	unsigned long count;

	lake_ask(lake, "GET", "/metrics", lake->read, "", NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	line = strstr(answer.body.data, name);
	assert_non_null(line);
	count = strtoul(line + strlen(name), NULL, 10);
	answer_clear(&answer);
	return count;
}

/* The lengths of its documents, in the store of a lake that does not run. */
static void assert_documents(const struct lake *lake, bool there)
{
	static const char *const KINDS[] = { "findings", "wall", "path" };
	char path[128];
	const struct store_options options = { .path = path, .threads = 2 };
	struct store *store = NULL;

	snprintf(path, sizeof(path), "%s/lake/tracer.duckdb", lake->folder);
	assert_int_equal(store_open(&store, &options, NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		const struct store_param params[] = {
			{ .name = "run", .type = STORE_TEXT, .text = EXAMPLE_RUN },
			{ .name = "kind", .type = STORE_TEXT, .text = KINDS[i] },
			{ .name = "maker", .type = STORE_TEXT, .text = TRACER_VERSION " 1 " },
		};
		struct store_rows *rows = NULL;

		assert_int_equal(store_query(store, "settled_document", params, 3, &rows, NULL), 0);
		assert_int_equal(store_next(rows), there);
		store_rows_free(rows);
	}
	store_close(store);
}

/* Whether the list shows it. */
static bool has_verdict(const struct lake *lake)
{
	json_t *answer = lake_get(lake, "/api/v1/runs", 200);
	const json_t *run = json_array_get(json_object_get(answer, "runs"), 0);
	bool has = json_is_string(json_object_get(run, "verdict"));

	json_decref(answer);
	return has;
}

static void a_settled_run_has_the_same_pages(void **state)
{
	struct example example;
	char *want[PAGES_COUNT];
	struct lake lake;

	lake_make(&lake);
	lake_start(&lake, LATER);
	example_make(&example, 1);
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	WAIT_DOING(has_verdict(&lake), usleep(PAUSE_US), "the verdict");
	ask_pages(&lake, want);
	assert_int_equal(settled(&lake), 0);
	assert_int_equal(lake_stop(&lake), 0);
	assert_documents(&lake, false);

	lake_start(&lake, SOON);
	WAIT_DOING(settled(&lake) == 1, usleep(PAUSE_US), "the run to be settled");
	WAIT_DOING(has_verdict(&lake), usleep(PAUSE_US), "the verdict");
	assert_pages(&lake, want);
	assert_int_equal(lake_stop(&lake), 0);
	assert_documents(&lake, true);

	lake_start(&lake, LATER);
	WAIT_DOING(has_verdict(&lake), usleep(PAUSE_US), "the verdict");
	assert_int_equal(settled(&lake), 0);
	free_pages(want);
	assert_int_equal(lake_end(&lake), 0);
}

static void a_run_that_a_scan_finds_lost_is_settled(void **state)
{
	struct example example;
	struct lake lake;

	lake_make(&lake);
	lake_start(&lake, SOON);
	example_make(&example, 1);
	example.run.status = (char *)"running";
	example.run.ended_at = 0;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	/* The agent started again, and nothing of what ran is there. */
	assert_int_equal(example_post_scan(&lake, 2), 200);
	WAIT_DOING(settled(&lake) == 1, usleep(PAUSE_US), "the run to be settled");
	assert_int_equal(lake_end(&lake), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_settled_run_has_the_same_pages),
		cmocka_unit_test(a_run_that_a_scan_finds_lost_is_settled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
