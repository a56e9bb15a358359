/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixture_answers.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/store/named_query.h"

#include "lake/store/settle/store_settle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What is stored of a settled run is what its rows say: a recorded run answers every query of
 * settled runs the same before and behind, in each column. */

/* Several hosts; executions that were found running; reports of an engine; attempts that failed. */
static const char *const RECORDINGS[] = { "slurm_array", "restarted", "nextflow_failed" };

static const char *const PARTS[] = { "sums", "series" };

/* All columns but the cursor, with blanks between. */
static void name_columns(const char *query, char *ret, size_t size)
{
	size_t len = 0;

	for (const struct query_field *field = named_query_find(query)->columns; field->name;
	     field++)
		if (strcmp(field->name, STORE_CURSOR) != 0)
			len += (size_t)snprintf(ret + len, size - len, "%s%s", len ? " " : "",
						field->name);
	assert_true(len < size);
}

static void add_answer(struct lake *lake, struct buffer *out, const char *query, const char *params)
{
	char columns[4096];

	name_columns(query, columns, sizeof(columns));
	buffer_printf(out, "%s %s\n%s", query, params, lake_query(lake, query, params, columns));
}

static char *answers(struct lake *lake, const char *run, const char *interval)
{
	static const struct {
		const char *query, *params; /* behind the run */
	} ASKED[] = {
		{ "run", "" },
		{ "shares", "" },
		{ "steps", "" },
		{ "tools", "all=" },
		{ "tools", "all=true" },
		{ "tasks", "step= status= cursor= limit=100000" },
		{ "tasks", "step= status=failed cursor= limit=2" },
		{ "samples_interval", "" },
		{ "samples", "by=run interval_s=" },
		{ "samples", "by=tool interval_s=" },
		{ "samples", "by=task interval_s=" },
		{ "samples_use", "by=tool interval_s=" },
		{ "samples_use", "by=task interval_s=" },
		{ "samples_shares", "interval_s=" },
		{ "step_tasks", "step= limit=100001" },
		{ "dataflow", "limit=100001" },
		{ "dataflow", "limit=3" },
		{ "dataflow_tasks", "limit=100001" },
		{ "dataflow_tasks", "limit=3" },
		{ "run_span", "" },
		{ "run_gpus", "" },
		{ "run_gpu_samples", "interval_s=" },
		{ "run_head", "" },
		{ "run_previous", "reader=" },
		{ "run_stamps", "limit=1" },
		{ "losses", "limit=1000" },
	};
	struct buffer out;

	buffer_init(&out, 0);
	for (size_t i = 0; i < sizeof(ASKED) / sizeof(ASKED[0]); i++) {
		char params[256];

		snprintf(params, sizeof(params), "run=%s %s%s", run, ASKED[i].params,
			 strcmp(ASKED[i].query, "samples") == 0 ? interval : "");
		add_answer(lake, &out, ASKED[i].query, params);
	}
	add_answer(lake, &out, "runs", "reader= sort=started status= pipeline= cursor= limit=100");
	add_answer(lake, &out, "runs", "reader= sort=wall status= pipeline= cursor= limit=100");
	return buffer_take(&out);
}

static char *first_line(struct lake *lake, const char *query, const char *params,
			const char *column)
{
	char *text = strdup(lake_query(lake, query, params, column));

	assert_non_null(text);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static void assert_same(const char *name, const char *have_, const char *want_)
{
	CLEANUP(freep) char *have = strdup(have_), *want = strdup(want_);
	char *rest = have, *wanted = want;

	while (rest && wanted) {
		char *line = strsep(&rest, "\n"), *other = strsep(&wanted, "\n");

		if (strcmp(line, other) != 0)
			fail_msg("%s answered:\n%s\nshould be:\n%s", name, line, other);
	}
	assert_true(!rest && !wanted);
}

static void settle(struct lake *lake, const char *run)
{
	struct error err = { "" };
	bool done = false;

	for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++) {
		if (store_settle(lake->store, run, PARTS[i], &done, &err))
			fail_msg("%s of %s: %s", PARTS[i], run, error_text(&err));
		assert_true(done);
	}
}

static void compare(struct lake *lake, const char *name)
{
	CLEANUP(freep)
	char *run = first_line(lake, "runs",
			       "reader= sort=started status= pipeline= cursor= limit=1", "id");
	CLEANUP(freep) char *want = NULL, *have = NULL, *interval = NULL;
	char params[200];

	snprintf(params, sizeof(params), "run=%s", run);
	interval = first_line(lake, "samples_interval", params, "interval_s");
	want = answers(lake, run, interval);
	settle(lake, run);
	have = answers(lake, run, interval);
	assert_same(name, have, want);
	lake_close(lake);
	lake_open(lake);
	free(have);
	have = answers(lake, run, interval);
	assert_same(name, have, want);
}

static void a_recorded_run_is_the_same_before_and_behind(void **state)
{
	for (size_t i = 0; i < sizeof(RECORDINGS) / sizeof(RECORDINGS[0]); i++) {
		struct lake lake;
		char path[64];

		lake_make(&lake);
		snprintf(path, sizeof(path), "runs/%s.rec", RECORDINGS[i]);
		lake_store_recording(&lake, path);
		compare(&lake, RECORDINGS[i]);
		lake_remove(&lake);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recorded_run_is_the_same_before_and_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
