/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_answers.h"

#include "base/buffer.h"
#include "base/file.h"
#include "lake/store/named_query.h"
#include "signal/batch.h"
#include "signal/recording.h"

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PARAMS_MAX 16
#define LINES_MAX  100000

/* Not compared: `hosts` and `metrics` depend on the clock and on when batches came; the others need
 * parameters that no loop over runs can give. */
static const char *const left_out[] = {
	"hosts",       "metrics",        "metrics_agents", "boundary_lifetimes",
	"linked_runs", "boundary_hosts", "runs",           "merged_runs",
};

void lake_store_recording(struct lake *lake, const char *path)
{
	struct recording *recording = NULL;
	struct error err = { 0 };
	Signal__Batch *batch;
	char full[256], *bytes = NULL;
	bool duplicate;
	size_t len;
	int rc;

	snprintf(full, sizeof(full), TESTS_DIR "/data/%s", path);
	assert_int_equal(file_read(AT_FDCWD, full, RECORDING_LIMIT, &bytes, &len), 0);
	rc = recording_open(&recording, bytes, len, &err);
	while (!rc && (rc = recording_next(recording, &batch, &err)) > 0) {
		rc = store_ingest(lake->store, batch, &duplicate, &err);
		batch_free(batch);
	}
	if (rc)
		fail_msg("%s: %s", path, error_text(&err));
	recording_close(recording);
	free(bytes);
}

static void write_cell(struct buffer *out, const struct store_rows *rows, size_t column)
{
	buffer_printf(out, " %s=", store_column_name(rows, column));
	if (store_is_null(rows, column))
		buffer_append_text(out, "-");
	else if (store_text(rows, column))
		buffer_append_text(out, store_text(rows, column));
	else if (store_column_type(rows, column) == STORE_DOUBLE)
		buffer_printf(out, "%.9g", store_double(rows, column));
	else
		buffer_printf(out, "%" PRId64, store_i64(rows, column));
}

static char *line_of(const char *query, const struct store_rows *rows)
{
	struct buffer line;

	buffer_init(&line, 0);
	buffer_append_text(&line, query);
	for (size_t i = 0; i < store_columns(rows); i++)
		if (strcmp(store_column_name(rows, i), STORE_CURSOR) != 0)
			write_cell(&line, rows, i);
	buffer_append_char(&line, '\n');
	return buffer_take(&line);
}

static int compare_lines(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void write_sorted(struct buffer *out, const char *query, struct store_rows *rows)
{
	char **lines = calloc(LINES_MAX, sizeof(*lines));
	size_t count = 0;

	assert_non_null(lines);
	while (store_next(rows) && count < LINES_MAX)
		lines[count++] = line_of(query, rows);
	qsort(lines, count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < count; i++) {
		buffer_append_text(out, lines[i]);
		free(lines[i]);
	}
	free(lines);
}

/* A value for a parameter by its name; else there is none. */
static struct store_param param_of(const struct query_field *field, const char *run)
{
	struct store_param param = { .name = field->name, .type = field->type };

	if (!strcmp(field->name, "run"))
		param.text = run;
	else if (!strcmp(field->name, "by"))
		param.text = "tool";
	else if (!strcmp(field->name, "limit"))
		param.i64 = LINES_MAX;
	else if (!strcmp(field->name, "offset"))
		param.i64 = 0;
	else if (!strcmp(field->name, "interval_s"))
		param.i64 = 1;
	else if (!strcmp(field->name, "since_at") || !strcmp(field->name, "before_at"))
		param.i64 = T0 - 30 * 86400 * S;
	else if (!strcmp(field->name, "until_at") || !strcmp(field->name, "now_at"))
		param.i64 = T0 + 330 * 86400 * S;
	else
		param.type = STORE_NULL;
	return param;
}

static void ask(struct lake *lake, const struct named_query *query, const char *run,
		struct buffer *out)
{
	struct store_param params[PARAMS_MAX];
	struct store_rows *rows = NULL;
	struct error err = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		if (!strcmp(left_out[i], query->name))
			return;
	for (const struct query_field *field = query->params; field->name; field++) {
		assert_true(count < PARAMS_MAX);
		params[count++] = param_of(field, run);
	}
	if (store_query(lake->store, query->name, params, count, &rows, &err))
		fail_msg("%s: %s", query->name, error_text(&err));
	write_sorted(out, query->name, rows);
	store_rows_free(rows);
}

static bool is_of_run(const struct named_query *query)
{
	const struct query_field *field = query->params;

	while (field->name && strcmp(field->name, "run") != 0)
		field++;
	return field->name;
}

static void ask_all(struct lake *lake, const char *run, struct buffer *out)
{
	size_t count;
	const struct named_query *const *queries = named_queries(&count);

	if (run)
		buffer_printf(out, "run %s\n", run);
	for (size_t i = 0; i < count; i++)
		if (is_of_run(queries[i]) == (run != NULL))
			ask(lake, queries[i], run, out);
}

char *lake_answers(struct lake *lake)
{
	char *runs =
		strdup(lake_query(lake, "runs", "sort= status= pipeline= cursor= limit=1", "id"));
	char *rest = runs, *run;
	struct buffer out;

	buffer_init(&out, 0);
	assert_non_null(runs);
	ask_all(lake, NULL, &out);
	while ((run = strsep(&rest, "\n")))
		if (*run)
			ask_all(lake, run, &out);
	free(runs);
	return buffer_take(&out);
}

void assert_answers(struct lake *lake, const char *expected)
{
	char *have = lake_answers(lake), *want = strdup(expected);
	char *rest = have, *wanted = want;

	assert_non_null(have);
	assert_non_null(want);
	while (rest && wanted) {
		char *line = strsep(&rest, "\n"), *other = strsep(&wanted, "\n");

		if (strcmp(line, other) != 0)
			fail_msg("answered:\n%s\nshould be:\n%s", line, other);
	}
	assert_true(!rest && !wanted);
	free(have);
	free(want);
}
