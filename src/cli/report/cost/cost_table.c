/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/cost/cost_table.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/report/cost/cost_amounts.h"
#include "cli/report/cost/cost_series.h"
#include "cli/terminal/print.h"

/* Ordered by what is to stay where a terminal is narrow. */
static const struct cost_column {
	struct column column;
	bool always;
	const char *not_by; /* keys by which it says nothing */
} columns[] = {
	{ { "key", "", FORMAT_TEXT, 44 }, true, "" },
	{ { "used", "USED", FORMAT_FIGURE, 0 }, false, "" },
	{ { "unused", "UNUSED", FORMAT_FIGURE, 0 }, false, "" },
	{ { "idle", "IDLE", FORMAT_FIGURE, 0 }, false, "" },
	{ { "cost", "COST", FORMAT_FIGURE, 0 }, true, "" },
	{ { "no_run", "NO RUN", FORMAT_FIGURE, 0 }, false, "" },
	{ { "tasks", "TASKS", FORMAT_COUNT, 0 }, false, "task" },
	{ { "samples", "SAMPLES", FORMAT_COUNT, 0 }, false, "sample task" },
	{ { "usd_per_sample", "A SAMPLE", FORMAT_USD, 0 }, false, "sample task" },
	{ { "runs", "RUNS", FORMAT_COUNT, 0 }, false, "run task" },
	{ { "cpu_s", "CPU", FORMAT_SECONDS, 0 }, false, "" },
	{ { "usd_per_gb", "A GB INPUT", FORMAT_USD, 0 }, false, "" },
	{ { "price_usd_hour", "AN HOUR", FORMAT_USD, 0 }, false, "" },
	{ { "price_source", "PRICE OF", FORMAT_TEXT, 32 }, false, "" },
	{ { "instance_id", "INSTANCE", FORMAT_TEXT, 0 }, false, "" },
	{ { "id", "ID", FORMAT_TEXT, 0 }, false, "" },
};

#define COLUMNS (sizeof(columns) / sizeof(*columns))

static bool is_word_of(const char *words, const char *word)
{
	size_t len = strlen(word);
	const char *at = strstr(words, word);

	return at && (at[len] == ' ' || at[len] == '\0');
}

/* Whether any row has something else than nothing. */
static bool says_something(const json_t *rows, const char *key)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		const json_t *value = json_object_get(row, key);

		if (json_is_string(value) || json_number_value(value) > 0)
			return true;
	}
	return false;
}

/* "" is known: the row is what has no such key. */
static void name_rows(json_t *rows)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		if (json_is_string(json_object_get(row, "key")) && !*row_text(row, "key"))
			json_object_set_new(row, "key", json_string("(none)"));
	}
}

/* PIPELINE for pipeline, the key of a label as it is. */
static void title_of(const char *by, char title[48])
{
	bool is_label = strncmp(by, "label:", 6) == 0;
	struct buffer safe CLEANUP(buffer_clear) = { 0 };

	buffer_init(&safe, 4096);
	print_safe(&safe, is_label ? by + 6 : by);
	(void)snprintf(title, 48, "%.40s", safe.data ? safe.data : "");
	for (char *at = title; *at && !is_label; at++)
		*at = *at == '_' ? ' ' : (char)toupper((unsigned char)*at);
}

static void print_rows(FILE *out, const json_t *document)
{
	const json_t *rows = json_object_get(document, "rows");
	const char *by = row_text(document, "by");
	struct column shown[COLUMNS];
	char title[48];
	size_t count = 0;

	title_of(by, title);
	for (size_t i = 0; i < COLUMNS; i++) {
		if (is_word_of(columns[i].not_by, by) ||
		    (!columns[i].always && !says_something(rows, columns[i].column.key)))
			continue;
		shown[count] = columns[i].column;
		shown[count].title = i == 0 ? title : shown[count].title;
		count++;
	}
	print_table(out, rows, shown, count);
}

static void print_sums(FILE *out, const json_t *document)
{
	static const struct {
		const char *label, *key;
	} fields[] = {
		{ "total ", "whole" },
		{ " = used ", "used" },
		{ " + reserved but unused ", "unused" },
		{ " + idle ", "idle" },
		{ " + no run ", "no_run" },
	};
	size_t at = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (i == 0 || json_is_string(json_object_get(document, fields[i].key)))
			print_labelled(out, fields[i].label, document, fields[i].key, FORMAT_FIGURE,
				       &at);
	fputc('\n', out);
}

/* What the figures are of, and what is not in them. */
static void print_notes(FILE *out, const json_t *document)
{
	json_int_t unpriced = json_integer_value(json_object_get(document, "unpriced_hosts"));
	json_int_t rows = json_integer_value(json_object_get(document, "row_count"));
	size_t shown = json_array_size(json_object_get(document, "rows"));

	fprintf(out, "from %.16sZ to %.16sZ%s\n", row_text(document, "since_at"),
		row_text(document, "until_at"),
		strcmp(row_text(document, "split"), "aws") == 0 ? ", divided by AWS's rule" : "");
	if (json_is_true(json_object_get(document, "billed")))
		fputs("Hosts that a provider's bill has cost what it says: tracer bill\n", out);
	if (unpriced > 0)
		fprintf(out, "%lld host%s no price for some of the time: tracer prices\n",
			(long long)unpriced, unpriced == 1 ? " has" : "s have");
	if (rows > (json_int_t)shown)
		fprintf(out, "%zu of %lld rows are shown: --limit\n", shown, (long long)rows);
}

int cost_table_print(FILE *out, json_t *document)
{
	json_t *rows = json_object_get(document, "rows");
	int rc = cost_amounts_set(document, rows);

	if (rc < 0)
		return rc;
	name_rows(rows);
	if (json_array_size(rows) > 0) {
		print_rows(out, document);
		fputc('\n', out);
	}
	print_sums(out, document);
	print_notes(out, document);
	if (json_array_size(json_object_get(document, "series")) == 0)
		return 0;
	fputc('\n', out);
	return cost_series_print(out, document);
}
