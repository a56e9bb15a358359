/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/screen/screen_bars.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/report/screen/screen_legend.h"
#include "cli/report/times_row.h"
#include "cli/terminal/columns.h"

#define NAME_LEAST   12
#define NAME_USUAL   20
#define BAR_NARROW   10   /* on a terminal of less than 80 columns */
#define LEAST        0.01 /* of the run's time: a row with less is not shown, unless it failed */
#define LEGEND_LINES 4    /* on a narrow terminal, where bars have all signs */
#define FIXED_LINES  2    /* the title, the run */

struct row {
	const char *name;
	struct times times;
	bool failed, shown;
};

struct bars {
	const struct screen_size *size;
	struct times total;
	struct times engine; /* not known: it has no bar */
	const char *subject; /* of the total */
	bool of_steps;       /* the rows; else they are of tools */
	struct row *rows;
	size_t count;
	size_t name_width, bar_width;
	bool waits;
	bool used[TIME_STATE_COUNT];
};

static void bars_clear(struct bars *bars)
{
	free(bars->rows);
}

static bool is_worth_showing(const struct bars *bars, const struct row *row)
{
	return row->failed || times_shown_ns(&row->times) >= LEAST * times_shown_ns(&bars->total);
}

static void read_rows(struct bars *bars, const json_t *rows)
{
	const json_t *figures;
	size_t i;

	bars->rows = calloc(json_array_size(rows) + 1, sizeof(*bars->rows));
	if (!bars->rows)
		return;
	bars->count = json_array_size(rows);
	json_array_foreach(rows, i, figures)
	{
		struct row *row = &bars->rows[i];

		row->name = *row_text(figures, "name") ? row_text(figures, "name") : "(no name)";
		/* Of tools, the processes that failed are counted, and most were expected to. */
		row->failed = bars->of_steps &&
			      json_integer_value(json_object_get(figures, "failed")) > 0;
		times_add(&row->times, figures);
	}
}

static void read_document(struct bars *bars, const json_t *document)
{
	const json_t *steps = json_object_get(document, "steps"),
		     *shares = json_object_get(document, "shares"),
		     *tasks = json_object_get(shares, "tasks"),
		     *engine = json_object_get(shares, "engine");

	bars->of_steps = json_array_size(steps) > 0;
	times_add(&bars->total,
		  json_is_object(tasks) ? tasks : json_object_get(document, "totals"));
	if (json_is_object(tasks) && json_number_value(json_object_get(engine, "threads_ns")) > 0)
		times_add(&bars->engine, engine);
	bars->subject = json_is_object(tasks) ? "All tasks" : "The run";
	read_rows(bars, bars->of_steps ? steps : json_object_get(document, "tools"));
}

static size_t count_worth(const struct bars *bars)
{
	size_t worth = 0;

	for (size_t i = 0; i < bars->count; i++)
		worth += is_worth_showing(bars, &bars->rows[i]);
	return worth;
}

/* Marks up to `most` rows (the lines of a screen, few): those that failed, then those with most
 * time. */
static size_t choose(struct bars *bars, size_t most)
{
	size_t chosen = 0;

	for (size_t i = 0; i < bars->count; i++)
		bars->rows[i].shown = false;
	for (; chosen < most; chosen++) {
		struct row *best = NULL;

		for (size_t i = 0; i < bars->count; i++) {
			struct row *row = &bars->rows[i];

			if (row->shown || !is_worth_showing(bars, row))
				continue;
			if (!best || row->failed > best->failed ||
			    (row->failed == best->failed &&
			     times_shown_ns(&row->times) > times_shown_ns(&best->times)))
				best = row;
		}
		if (!best)
			break;
		best->shown = true;
	}
	return chosen;
}

static void use(struct bars *bars, const struct times *times)
{
	size_t signs[TIME_STATE_COUNT];

	times_signs(times, bars->bar_width, signs);
	for (int i = 0; i < TIME_STATE_COUNT; i++)
		bars->used[i] |= signs[i] > 0;
}

static void add_row(struct lines *lines, struct bars *bars, const char *indent, const char *name,
		    const struct times *times)
{
	const struct times_row row = {
		indent, name, bars->name_width, bars->bar_width, bars->size->colourful, bars->waits
	};
	struct buffer line CLEANUP(buffer_clear) = { 0 };

	buffer_init(&line, 0);
	times_row_append(&line, &row, times);
	if (!line.failed)
		lines_add(lines, line.data);
	use(bars, times);
}

static void add_title(struct lines *lines, const struct bars *bars)
{
	const struct times_row row = {
		"", "", bars->name_width, bars->bar_width, false, bars->waits
	};
	struct buffer title CLEANUP(buffer_clear) = { 0 };

	buffer_init(&title, 0);
	times_row_title(&title, &row, "WHERE TIME WENT", "TIME");
	if (!title.failed)
		lines_add(lines, title.data);
}

/* Sets the widths of the columns for the rows that are shown. */
static void lay_out(struct bars *bars)
{
	size_t width = bars->size->width, rest = TIMES_REST_WIDTH, longest = NAME_USUAL, wide;

	bars->waits = true;
	bars->bar_width = TIMES_BAR_WIDTH;
	if (width < NAME_USUAL + rest) {
		bars->bar_width = BAR_NARROW;
		rest -= TIMES_BAR_WIDTH - BAR_NARROW;
	}
	if (width < NAME_LEAST + rest) {
		bars->waits = false;
		rest -= 2 + TIMES_WAIT_WIDTH;
	}
	for (size_t i = 0; i < bars->count; i++) {
		wide = bars->rows[i].shown ? columns_of(bars->rows[i].name) + 2 : 0;
		longest = wide > longest ? wide : longest;
	}
	bars->name_width = longest < width - rest ? longest : width - rest;
}

/* Adds everything with so many rows. engine: with a bar of the engine itself. */
static void add_all(struct lines *lines, struct bars *bars, size_t rows, bool engine)
{
	const char *failed = bars->size->colourful ? "\033[31m!\033[0m " : "! ";
	size_t left = bars->count - choose(bars, rows);
	char more[96];

	lay_out(bars);
	add_title(lines, bars);
	add_row(lines, bars, "", bars->subject, &bars->total);
	if (engine)
		add_row(lines, bars, "", "The engine itself", &bars->engine);
	for (size_t i = 0; i < bars->count; i++)
		if (bars->rows[i].shown)
			add_row(lines, bars, bars->rows[i].failed ? failed : "  ",
				bars->rows[i].name, &bars->rows[i].times);
	if (left > 0) {
		(void)snprintf(more, sizeof(more), "  … and %zu more %s%s: `tracer report --full`",
			       left, bars->of_steps ? "step" : "tool", left == 1 ? "" : "s");
		lines_add(lines, more);
	}
	screen_legend_add(lines, bars->used, bars->size->width, bars->size->colourful);
}

size_t screen_bars_wanted(const json_t *document)
{
	struct bars bars CLEANUP(bars_clear) = { 0 };
	size_t worth;

	read_document(&bars, document);
	worth = count_worth(&bars);
	return FIXED_LINES + times_known(&bars.engine) + worth + (worth < bars.count) + 1;
}

void screen_bars_add(struct lines *lines, const json_t *document, size_t most,
		     const struct screen_size *size)
{
	struct bars bars CLEANUP(bars_clear) = { .size = size };
	size_t worth, fixed;
	bool engine;

	read_document(&bars, document);
	worth = count_worth(&bars);
	/* What all rows need, or else the engine's bar is not shown where it costs one of few. */
	engine = times_known(&bars.engine) &&
		 (FIXED_LINES + 1 + worth + (worth < bars.count) + 1 <= most || most > 8);
	fixed = FIXED_LINES + engine;
	for (size_t legend = 1; legend <= LEGEND_LINES; legend++) {
		struct lines all CLEANUP(lines_clear) = { 0 };
		size_t room = most > fixed + legend ? most - fixed - legend : 0;
		bool cut = worth < bars.count || worth > room;

		add_all(&all, &bars,
			worth < room ? worth : room - (cut && worth >= room && room > 0), engine);
		if (all.count <= most || legend == LEGEND_LINES) {
			lines_shorten(&all, most, size->width);
			lines_join(lines, &all);
			return;
		}
	}
}
