/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/diff/diff_steps.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

#define LINES_LEAST 4
#define FACTS_SHOWN 3

/* Changes that are said, and from which size on: smaller ones are noise. */
static const struct {
	const char *figure, *words;
	enum format format;
	double least;
} FIGURES[] = {
	{ "wall_ns", "time", FORMAT_NS, 1e8 },
	{ "memory_peak_bytes", "peak memory", FORMAT_BYTES, 16 << 20 },
	{ "input_bytes", "input", FORMAT_BYTES, 1 << 20 },
	{ "output_bytes", "output", FORMAT_BYTES, 1 << 20 },
	{ "disk_read_bytes", "read from disk", FORMAT_BYTES, 16 << 20 },
	{ "disk_write_bytes", "written to disk", FORMAT_BYTES, 16 << 20 },
	{ "network_bytes", "over the network", FORMAT_BYTES, 16 << 20 },
};
#define FIGURES_COUNT (sizeof(FIGURES) / sizeof(FIGURES[0]))

static bool is_of(const json_t *row, const json_t *step)
{
	return strcmp(row_text(row, "step"), row_text(step, "name")) == 0;
}

static double number(const json_t *row, const char *key)
{
	return json_number_value(json_object_get(row, key));
}

/* Rows of a step in a list in which the steps have the order of `steps`. */
struct part {
	const json_t *list;
	size_t first, end;
};

/* From those of the step before to those of this one. */
static void go_on(struct part *part, const json_t *step)
{
	part->first = part->end;
	while (part->end < json_array_size(part->list) &&
	       is_of(json_array_get(part->list, part->end), step))
		part->end++;
}

/* "time 1m 20s, before 40.0 s" */
static void append_figure(struct buffer *line, const json_t *row, size_t i)
{
	const struct column to = { "to_median", "", FIGURES[i].format, 0 };
	const struct column from = { "from_median", "", FIGURES[i].format, 0 };

	if (fmax(number(row, "from_median"), number(row, "to_median")) < FIGURES[i].least)
		return;
	buffer_printf(line, "%s%s ", line->len ? "; " : "", FIGURES[i].words);
	print_value(line, row, &to);
	buffer_append_text(line, ", before ");
	print_value(line, row, &from);
}

static void append_figures(struct buffer *line, const struct part *figures)
{
	for (size_t i = 0; i < FIGURES_COUNT; i++)
		for (size_t k = figures->first; k < figures->end; k++) {
			const json_t *row = json_array_get(figures->list, k);
			const char *change = row_text(row, "change");

			if (strcmp(row_text(row, "figure"), FIGURES[i].figure) == 0 && *change &&
			    strcmp(change, "same") != 0)
				append_figure(line, row, i);
		}
}

/* What differs besides the reason, which has a line of its own. */
static void append_facts(struct buffer *line, const struct part *facts)
{
	size_t count = 0;

	for (size_t i = facts->first; i < facts->end; i++) {
		const json_t *row = json_array_get(facts->list, i);

		if (json_is_true(json_object_get(row, "is_reason")) ||
		    strcmp(row_text(row, "fact"), "input_bytes") == 0 || count++ >= FACTS_SHOWN)
			continue;
		buffer_printf(line, "%s%s", line->len ? "; " : "", row_text(row, "words"));
	}
}

/* The lines of a step; none where it did not change. */
static void add_step(struct lines *lines, const json_t *step, const struct part *figure_rows,
		     const struct part *fact_rows, size_t width)
{
	struct buffer figures CLEANUP(buffer_clear) = { 0 }, facts CLEANUP(buffer_clear) = { 0 },
			      name CLEANUP(buffer_clear) = { 0 };
	const char *reason = row_text(step, "reason");

	buffer_init(&figures, 0);
	buffer_init(&facts, 0);
	buffer_init(&name, 0);
	append_figures(&figures, figure_rows);
	append_facts(&facts, fact_rows);
	if (!figures.len && !facts.len)
		return;
	print_safe(&name, row_text(step, "name"));
	buffer_printf(&name, ": %s", figures.len ? figures.data : "as long as before");
	lines_wrap(lines, "  ", "    ", name.data, width);
	if (*reason)
		lines_wrap(lines, "    → ", "      ", reason, width);
	if (facts.len)
		lines_wrap(lines, "    differs: ", "      ", facts.data, width);
}

void diff_steps_add(struct lines *lines, const json_t *document, const struct screen_size *size)
{
	size_t i, left = size->height > lines->count + 2 + LINES_LEAST
				 ? size->height - lines->count - 2
				 : LINES_LEAST;
	size_t more = 0;
	const json_t *step;
	struct lines all CLEANUP(lines_clear) = { 0 };
	struct part figures = { json_object_get(document, "figures"), 0, 0 };
	struct part facts = { json_object_get(document, "differs"), 0, 0 };

	json_array_foreach(json_object_get(document, "steps"), i, step)
	{
		struct lines one CLEANUP(lines_clear) = { 0 };

		go_on(&figures, step);
		go_on(&facts, step);
		add_step(&one, step, &figures, &facts, size->width);
		if (more || all.count + one.count + 1 > left)
			more += one.count > 0;
		else
			lines_join(&all, &one);
	}
	if (!all.count && !more)
		return;
	lines_add(lines, "");
	lines_add(lines, "A TASK OF A STEP (MEDIAN), AND WHAT DIFFERS");
	lines_join(lines, &all);
	if (more) {
		char text[64];

		(void)snprintf(text, sizeof(text), "  … and %zu more: --json", more);
		lines_add(lines, text);
	}
}
