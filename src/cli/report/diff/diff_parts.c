/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/diff/diff_parts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "cli/lake/row.h"
#include "cli/terminal/columns.h"
#include "cli/terminal/print.h"

#define STEPS_SHOWN 5
#define FACTORS_OF  3 /* steps have lines for their factors */
#define FACTORS     2
#define FIGURE      12  /* columns */
#define WORTH       0.1 /* share of the difference of the step: a factor with less is no line */

/* Times of a line; false: it has none of this run. */
struct times {
	int64_t from_ns, to_ns, difference_ns;
	bool sides;
};

static int64_t ns_of(const json_t *row, const char *key)
{
	return (int64_t)json_integer_value(json_object_get(row, key));
}

static void append_time(struct buffer *line, int64_t ns, bool is_difference)
{
	char text[40], time[32];
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	const char *sign = !is_difference || ns == 0 ? "" : ns < 0 ? "-" : "+";

	(void)snprintf(text, sizeof(text), "%s%s", sign,
		       ns ? text_duration(size, time, sizeof(time)) : "0 s");
	columns_right(line, text, FIGURE);
}

static void add_line(struct lines *lines, size_t width, const char *name, const struct times *times)
{
	struct buffer line CLEANUP(buffer_clear) = { 0 }, safe CLEANUP(buffer_clear) = { 0 };

	buffer_init(&line, 0);
	buffer_init(&safe, 0);
	print_safe(&safe, name);
	columns_fit(&line, safe.data, width - 3 * FIGURE);
	if (times->sides) {
		append_time(&line, times->from_ns, false);
		append_time(&line, times->to_ns, false);
	} else {
		columns_right(&line, "", 2 * FIGURE);
	}
	append_time(&line, times->difference_ns, true);
	lines_add(lines, line.data);
}

static void add_heading(struct lines *lines, size_t width)
{
	struct buffer line CLEANUP(buffer_clear) = { 0 };

	buffer_init(&line, 0);
	columns_fit(&line, "WHERE THE DIFFERENCE IS", width - 3 * FIGURE);
	columns_right(&line, "BEFORE", FIGURE);
	columns_right(&line, "NOW", FIGURE);
	columns_right(&line, "DIFFERENCE", FIGURE);
	lines_add(lines, "");
	lines_add(lines, line.data);
}

static struct times times_of(const json_t *step)
{
	return (struct times){
		ns_of(step, "from_running_ns") + ns_of(step, "from_waiting_ns"),
		ns_of(step, "to_running_ns") + ns_of(step, "to_waiting_ns"),
		ns_of(step, "difference_ns"),
		true,
	};
}

/* The part of a step with the next smaller size than the one shown before. NULL: none is left. */
static const json_t *next_part(const json_t *parts, const char *step, const json_t *before)
{
	const json_t *part, *next = NULL;
	size_t i;

	json_array_foreach(parts, i, part)
	{
		int64_t size = llabs(ns_of(part, "difference_ns"));

		if (strcmp(row_text(part, "step"), step) != 0 ||
		    !json_is_string(json_object_get(part, "step")) || part == before)
			continue;
		if (before && size >= llabs(ns_of(before, "difference_ns")))
			continue;
		if (!next || size > llabs(ns_of(next, "difference_ns")))
			next = part;
	}
	return next;
}

/* The largest factors of the difference of a step, and the rest. */
static void add_factors(struct lines *lines, size_t width, const json_t *parts, const json_t *step)
{
	int64_t all = ns_of(step, "difference_ns"), rest = all;
	const json_t *part = NULL;

	for (size_t i = 0; i < FACTORS; i++) {
		struct times times = { 0 };
		char name[160];

		part = next_part(parts, row_text(step, "name"), part);
		if (!part || llabs(ns_of(part, "difference_ns")) < WORTH * (double)llabs(all))
			break;
		times.difference_ns = ns_of(part, "difference_ns");
		(void)snprintf(name, sizeof(name), "    %s", row_text(part, "words"));
		add_line(lines, width, name, &times);
		rest -= times.difference_ns;
	}
	if (rest && rest != all)
		add_line(lines, width, "    all else", &(struct times){ 0, 0, rest, false });
}

static void add_times(struct times *sum, const struct times *of)
{
	sum->from_ns += of->from_ns;
	sum->to_ns += of->to_ns;
	sum->difference_ns += of->difference_ns;
}

/* What is said of a step that is not in both runs under one name. */
static const struct {
	const char *state, *words;
} STATES[] = { { "renamed", " (renamed)" }, { "new", " (new)" }, { "removed", " (gone)" } };

static const char *state_of(const json_t *step)
{
	for (size_t i = 0; i < sizeof(STATES) / sizeof(STATES[0]); i++)
		if (strcmp(STATES[i].state, row_text(step, "state")) == 0)
			return STATES[i].words;
	return "";
}

static void name_of(const json_t *step, char *name, size_t size)
{
	const char *text = row_text(step, "name");

	(void)snprintf(name, size, "  %s%s", *text ? text : "(no step)", state_of(step));
}

static bool is_in_both(const json_t *step)
{
	const char *state = row_text(step, "state");

	return strcmp(state, "both") == 0 || strcmp(state, "renamed") == 0;
}

static void add_engine(struct lines *lines, size_t width, const json_t *engine, struct times *sum)
{
	const struct times times = { ns_of(engine, "from_ns"), ns_of(engine, "to_ns"),
				     ns_of(engine, "difference_ns"), true };

	add_line(lines, width, "  no task: the engine", &times);
	add_times(sum, &times);
}

void diff_parts_add(struct lines *lines, const json_t *document, size_t width)
{
	struct times sum = { .sides = true }, others = { .sides = true };
	const json_t *step;
	size_t i, count = 0;
	char name[256];

	add_heading(lines, width);
	json_array_foreach(json_object_get(document, "steps"), i, step)
	{
		const struct times times = times_of(step);

		add_times(&sum, &times);
		if (i >= STEPS_SHOWN || !times.difference_ns) {
			add_times(&others, &times);
			count++;
			continue;
		}
		name_of(step, name, sizeof(name));
		add_line(lines, width, name, &times);
		if (i < FACTORS_OF && is_in_both(step))
			add_factors(lines, width, json_object_get(document, "parts"), step);
	}
	(void)snprintf(name, sizeof(name), "  %zu %sstep%s", count, i > count ? "other " : "",
		       count == 1 ? "" : "s");
	if (count)
		add_line(lines, width, name, &others);
	add_engine(lines, width, json_object_get(document, "engine"), &sum);
	add_line(lines, width, "  together", &sum);
}
