/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_times.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/report/times_row.h"
#include "cli/terminal/columns.h"
#include "cli/terminal/print.h"
#include "cli/terminal/times.h"

#define NAME_LEAST 20
#define LINE_WIDTH 80

/* A step or tool with a smaller share of the time of all tasks has no line of its own. */
#define LEAST 0.01

struct section {
	FILE *out;
	bool colourful, threads;
	double least_ns;
	size_t name_width;
	struct times total;          /* of all tasks, or of the run where there are none */
	bool used[TIME_STATE_COUNT]; /* in any bar */
};

static struct times times_of(const struct section *section, const json_t *figures)
{
	struct times times = { 0 };

	if (section->threads)
		times_add_threads(&times, figures);
	else
		times_add(&times, figures);
	return times;
}

static double shown_ns(const struct section *section, const json_t *figures)
{
	const struct times times = times_of(section, figures);

	return times_shown_ns(&times);
}

static void print_line(struct section *section, const char *indent, const char *name,
		       const json_t *figures)
{
	const struct times times = times_of(section, figures);
	const struct times_row row = {
		indent, name, section->name_width, TIMES_BAR_WIDTH, section->colourful, true
	};
	struct buffer line CLEANUP(buffer_clear) = { 0 };

	buffer_init(&line, 0);
	times_row_append(&line, &row, &times);
	if (line.failed)
		return;
	fprintf(section->out, "%s\n", line.data);
	for (int i = 0; i < TIME_STATE_COUNT; i++)
		section->used[i] |= times_has(&times, i);
}

/* The rows of one list that took enough time to be seen. */
static void print_rows(struct section *section, const json_t *rows, const char *title)
{
	size_t i, hidden = 0;
	const json_t *row;

	if (json_array_size(rows) > 0)
		fprintf(section->out, "%s\n", title);
	json_array_foreach(rows, i, row)
	{
		const char *name = json_string_value(json_object_get(row, "name"));

		if (shown_ns(section, row) < section->least_ns)
			hidden++;
		else
			print_line(section, "  ", name && *name ? name : "(no name)", row);
	}
	if (hidden > 0)
		fprintf(section->out, "  and %zu of less than 1 %% of that time\n", hidden);
}

/* "█ computing 43 %", where the share is that of the first bar; lines of LINE_WIDTH. */
static void print_legend(const struct section *section)
{
	size_t column = 0;

	for (int i = 0; i < TIME_STATE_COUNT; i++) {
		struct buffer sign CLEANUP(buffer_clear) = { 0 },
				   text CLEANUP(buffer_clear) = { 0 };

		if (!section->used[i])
			continue;
		buffer_init(&sign, 0);
		buffer_init(&text, 0);
		times_sign(&sign, i, section->colourful);
		buffer_printf(&text, " %s ", times_name(i));
		times_percent(&text, times_share(&section->total, i));
		if (sign.failed || text.failed)
			return;
		if (column == 0 || column + 3 + text.len > LINE_WIDTH) {
			putc('\n', section->out);
			column = 0;
		}
		fprintf(section->out, "%s%s%s", column == 0 ? "" : "  ", sign.data, text.data);
		column += (column == 0 ? 1 : 3) + text.len;
	}
	if (column > 0)
		fputs("\n", section->out);
}

/* The time that the first bar leaves out. */
static void print_left_out(const struct section *section, const char *subject)
{
	static const enum time_state left_out[] = { TIME_CHILD, TIME_SLEEP };
	const char *before = "Not in that bar:";
	char text[48];

	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++) {
		double ns = times_ns(&section->total, left_out[i]);

		if (ns <= 0 || section->total.wall || times_has(&section->total, left_out[i]))
			continue;
		text_duration((uint64_t)ns, text, sizeof(text));
		fprintf(section->out, "%s %s %s", before,
			left_out[i] == TIME_CHILD ? "waiting for children" : "asleep", text);
		before = ",";
	}
	if (*before == ',')
		fprintf(section->out, " (%s).\n", subject);
}

/* The bars of all tasks and of the engine. They are separate: the engine waits while tasks work,
 * which would hide what the tasks wait for. */
static void print_totals(struct section *section, const json_t *document)
{
	const json_t *shares = json_object_get(document, "shares");
	const json_t *tasks = json_object_get(shares, "tasks"),
		     *engine = json_object_get(shares, "engine"),
		     *first = json_is_object(tasks) ? tasks : json_object_get(document, "totals");

	section->total = times_of(section, first);
	section->least_ns = LEAST * times_shown_ns(&section->total);
	print_line(section, "", first == tasks ? "The run: all tasks" : "The run", first);
	if (first == tasks && json_number_value(json_object_get(engine, "threads_ns")) > 0)
		print_line(section, "", "The engine itself", engine);
}

static void widen(size_t *width, const json_t *rows)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		const char *name = json_string_value(json_object_get(row, "name"));
		size_t wide = name ? columns_of(name) + 2 : 0;

		*width = wide > *width ? wide : *width;
	}
}

/* The width of the longest name; on a terminal at most the width that the other columns leave. */
static size_t name_width(FILE *out, const json_t *document)
{
	size_t width = NAME_LEAST, screen = print_width(out), room = NAME_LEAST;

	widen(&width, json_object_get(document, "steps"));
	widen(&width, json_object_get(document, "tools"));
	if (screen > NAME_LEAST + TIMES_REST_WIDTH)
		room = screen - TIMES_REST_WIDTH;
	return screen > 0 && width > room ? room : width;
}

static void print_title(const struct section *section)
{
	const struct times_row row = { "", "", section->name_width, TIMES_BAR_WIDTH, false, true };
	struct buffer title CLEANUP(buffer_clear) = { 0 };

	buffer_init(&title, 0);
	times_row_title(&title, &row, section->threads ? "TIME OF THREADS" : "WHERE TIME WENT",
			section->threads ? "AT WORK" : "TIME");
	if (!title.failed)
		fprintf(section->out, "%s\n", title.data);
}

static void print_section(FILE *out, const json_t *document, bool threads)
{
	struct section section = { .out = out,
				   .colourful = print_colourful(out),
				   .threads = threads };
	bool tasks = json_is_object(json_object_get(json_object_get(document, "shares"), "tasks"));

	section.name_width = name_width(out, document);
	print_title(&section);
	print_totals(&section, document);
	print_rows(&section, json_object_get(document, "steps"), "Steps");
	print_rows(&section, json_object_get(document, "tools"), "Tools");
	print_legend(&section);
	print_left_out(&section, tasks ? "all tasks" : "the run");
}

void report_times(FILE *out, const json_t *document)
{
	print_section(out, document, false);
}

void report_thread_times(FILE *out, const json_t *document)
{
	print_section(out, document, true);
}
