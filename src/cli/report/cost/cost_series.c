/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/cost/cost_series.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/report/cost/cost_amounts.h"
#include "cli/terminal/print.h"

static void add(json_t *row, const char *key, const json_t *point, const char *point_key)
{
	double sum = json_number_value(json_object_get(row, key)) +
		     json_number_value(json_object_get(point, point_key));

	json_object_set_new(row, key, json_real(sum));
}

/* A point without a key is what no run held. */
static void add_point(json_t *row, const json_t *point)
{
	static const char *const keys[] = { "used_usd", "unused_usd", "idle_usd" };

	if (json_is_null(json_object_get(point, "key"))) {
		add(row, "unallocated_usd", point, "idle_usd");
		return;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		add(row, keys[i], point, keys[i]);
}

/* The points are sorted by time. An array, the caller's; NULL: no memory. */
static json_t *sum_up(const json_t *series)
{
	json_t *rows = json_array(), *row = NULL;
	const json_t *point;
	const char *at = "";
	size_t i;

	json_array_foreach(series, i, point)
	{
		if (!row || strcmp(at, row_text(point, "at")) != 0) {
			at = row_text(point, "at");
			row = json_pack("{s:f,s:f,s:f,s:f}", "used_usd", 0.0, "unused_usd", 0.0,
					"idle_usd", 0.0, "unallocated_usd", 0.0);
			if (!row || json_array_append_new(rows, row))
				break;
			json_object_set_new(row, "at", json_string(at));
		}
		add_point(row, point);
	}
	return rows;
}

/* "2026-11-29", or "2026-11-29 18:00" where any is not a day's beginning. */
static bool name_times(json_t *rows)
{
	bool hours = false;
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) hours |=
		strncmp(row_text(row, "at") + strcspn(row_text(row, "at"), "T"), "T00:00", 6) != 0;
	json_array_foreach(rows, i, row)
	{
		const char *at = row_text(row, "at");
		char text[32];

		(void)snprintf(text, sizeof(text), hours ? "%.10s %.5s" : "%.10s", at,
			       strlen(at) > 16 ? at + 11 : "");
		json_object_set_new(row, "time", json_string(text));
	}
	return hours;
}

/* The sums of the rows, which those of a document are where it has all of them. */
static json_t *sums_of(const json_t *rows)
{
	json_t *sums = json_object();
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		add(sums, "used_usd", row, "used_usd");
		add(sums, "unused_usd", row, "unused_usd");
		add(sums, "idle_usd", row, "idle_usd");
		add(sums, "unallocated_usd", row, "unallocated_usd");
	}
	return sums;
}

int cost_series_print(FILE *out, const json_t *document)
{
	struct column columns[] = {
		{ "time", "DAY (UTC)", FORMAT_TEXT, 0 },  { "used", "USED", FORMAT_FIGURE, 0 },
		{ "unused", "UNUSED", FORMAT_FIGURE, 0 }, { "idle", "IDLE", FORMAT_FIGURE, 0 },
		{ "cost", "COST", FORMAT_FIGURE, 0 },     { "no_run", "NO RUN", FORMAT_FIGURE, 0 },
	};
	size_t count = sizeof(columns) / sizeof(*columns);
	json_t *rows CLEANUP(json_decrefp) = sum_up(json_object_get(document, "series"));
	json_t *sums CLEANUP(json_decrefp) = sums_of(rows);

	if (!rows || !sums || cost_amounts_set(sums, rows))
		return -ENOMEM;
	if (name_times(rows))
		columns[0].title = "HOUR (UTC)";
	/* Without hosts as a whole, what no run held is not known. */
	if (!json_is_number(json_object_get(document, "unallocated_usd")))
		count--;
	print_table(out, rows, columns, count);
	return 0;
}
