/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/screen/screen_usual.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

#define INDENT "  "
/* A change by less is not worth a line. */
#define WORTH_SHARE 0.2 /* of the request */
#define WORTH_BYTES (256.0 * (1 << 20))

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static bool is_known(const json_t *object, const char *key)
{
	return json_is_number(json_object_get(object, key));
}

static void add(struct lines *lines, const struct buffer *text, const struct screen_size *size)
{
	struct lines one CLEANUP(lines_clear) = { 0 };

	if (text->failed)
		return;
	lines_wrap(&one, "", INDENT, text->data, size->width);
	lines_shorten(&one, 1, size->width);
	lines_join(lines, &one);
}

static void append(struct buffer *out, const json_t *object, const char *key, enum format format)
{
	const struct column column = { key, "", format, 0 };

	print_value(out, object, &column);
}

/* How many steps have each answer. */
struct counts {
	size_t usual, unusual, unknown;
	json_int_t runs_missing; /* the least of those without enough history */
	const char *first;       /* that is not as usual */
};

static struct counts count(const json_t *steps)
{
	struct counts counts = { 0 };
	const json_t *step;
	size_t i;

	json_array_foreach(steps, i, step)
	{
		const char *usual = row_text(step, "usual");
		json_int_t missing = json_integer_value(json_object_get(step, "runs_missing"));

		if (strcmp(usual, "as usual") == 0) {
			counts.usual++;
		} else if (strcmp(usual, "not as usual") == 0) {
			if (counts.unusual++ == 0)
				counts.first = row_text(step, "step");
		} else if (strcmp(usual, "not enough history") == 0 &&
			   (counts.unknown++ == 0 || missing < counts.runs_missing)) {
			counts.runs_missing = missing;
		}
	}
	return counts;
}

static void add_usual(struct lines *lines, const json_t *expected, const struct screen_size *size)
{
	struct counts counts = count(json_object_get(expected, "steps"));
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	long long runs = (long long)number(expected, "runs");

	buffer_init(&text, 4096);
	if (counts.unusual) {
		buffer_append_text(&text, "Not as usual: ");
		print_safe(&text, counts.first);
		if (counts.unusual > 1)
			buffer_printf(&text, " and %zu more steps", counts.unusual - 1);
		buffer_append_text(&text, ".");
	} else if (counts.usual)
		buffer_printf(&text, "As usual, by %lld earlier run%s%s.", runs,
			      runs == 1 ? "" : "s",
			      counts.unknown ? " (some steps have not enough history)" : "");
	else if (counts.unknown)
		buffer_printf(
			&text,
			"Not enough history to say whether this is usual: %lld earlier run%s, "
			"%" JSON_INTEGER_FORMAT " more needed.",
			runs, runs == 1 ? "" : "s", counts.runs_missing);
	if (text.len)
		add(lines, &text, size);
}

static void add_end(struct lines *lines, const json_t *expected, const struct screen_size *size)
{
	const json_t *run = json_object_get(expected, "run");
	const char *why = row_text(run, "why_unknown");
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	if (!is_known(run, "remaining_s") && !*why)
		return;
	buffer_init(&text, 4096);
	if (is_known(run, "progress"))
		buffer_printf(&text, "%.0f %% done. ", floor(100 * number(run, "progress")));
	if (is_known(run, "remaining_s")) {
		buffer_append_text(&text, "Ends in about ");
		append(&text, run, "remaining_s", FORMAT_SECONDS);
		buffer_append_text(&text, " (80 %: ");
		append(&text, run, "remaining_low_s", FORMAT_SECONDS);
		buffer_append_text(&text, " to ");
		append(&text, run, "remaining_high_s", FORMAT_SECONDS);
		buffer_append_text(&text, "), ");
		append(&text, run, "expected_end_at", FORMAT_TIME);
		buffer_append_text(&text, ".");
	} else {
		buffer_append_text(&text, "Its end is not known: ");
		print_safe(&text, why);
		buffer_append_text(&text, ".");
	}
	add(lines, &text, size);
}

/* What its tasks together waste less with the advised size, in GB * h; 0: it is not sure, or
 * little. */
static double gain(const json_t *step)
{
	double requested = number(step, "memory_requested_bytes");
	double advised = number(step, "memory_advised_bytes");

	if (!json_is_true(json_object_get(step, "memory_enough")) || !(requested > 0) ||
	    fabs(requested - advised) < WORTH_SHARE * requested ||
	    fabs(requested - advised) < WORTH_BYTES)
		return 0;
	return (number(step, "wasted_now_gb_h") - number(step, "wasted_then_gb_h")) *
	       number(step, "tasks");
}

static void add_size(struct lines *lines, const json_t *sizes, const struct screen_size *size)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	const json_t *step, *best = NULL;
	double most = 0;
	size_t i;

	json_array_foreach(json_object_get(sizes, "steps"), i, step)
	{
		if (gain(step) > most) {
			most = gain(step);
			best = step;
		}
	}
	if (!best)
		return;
	buffer_init(&text, 4096);
	buffer_append_text(&text, "Worth changing: memory of ");
	print_safe(&text, row_text(best, "step"));
	buffer_append_text(&text, ", ");
	append(&text, best, "memory_requested_bytes", FORMAT_BYTES);
	buffer_append_text(&text, " to ");
	append(&text, best, "memory_advised_bytes", FORMAT_BYTES);
	buffer_append_text(&text, " (used ");
	append(&text, best, "memory_highest_bytes", FORMAT_BYTES);
	buffer_append_text(&text, ").");
	add(lines, &text, size);
}

void screen_usual_add(struct lines *lines, const json_t *document, const struct screen_size *size)
{
	const json_t *expected = json_object_get(document, "expected");

	add_end(lines, expected, size);
	add_usual(lines, expected, size);
	add_size(lines, json_object_get(document, "sizes"), size);
}
