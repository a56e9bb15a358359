/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/waste.h"

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/report/finding.h"
#include "cli/terminal/lines.h"
#include "cli/terminal/print.h"

static void append_usd(struct buffer *out, const json_t *object, const char *key)
{
	print_value(out, object, &(struct column){ key, "", FORMAT_USD, 0 });
}

static void append_now(struct buffer *out, const json_t *document)
{
	json_int_t open = json_integer_value(json_object_get(document, "open"));
	json_int_t unpriced = json_integer_value(json_object_get(document, "unpriced"));

	if (open == 0) {
		buffer_printf(out, "No waste is found now (%zu hosts were looked at).",
			      json_array_size(json_object_get(document, "hosts")));
		return;
	}
	buffer_append_text(out, "Waste now: ");
	append_usd(out, document, "usd_hour");
	buffer_printf(out, " an hour in %lld finding%s", (long long)open, open == 1 ? "" : "s");
	if (unpriced > 0)
		buffer_printf(out, ", %lld of them without a known price", (long long)unpriced);
	buffer_append_text(out, ".");
}

static void print_sums(FILE *out, const json_t *document)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	buffer_init(&text, 0);
	append_now(&text, document);
	if (json_number_value(json_object_get(document, "wasted_usd")) > 0) {
		buffer_append_text(&text, " In this time: ");
		append_usd(&text, document, "wasted_usd");
		buffer_append_text(&text, " wasted, ");
		append_usd(&text, document, "saved_usd");
		buffer_append_text(&text, " saved since hosts were stopped.");
	}
	buffer_append_text(&text, "\n");
	if (!text.failed)
		fputs(text.data, out);
}

static void append_time(struct buffer *out, const json_t *waste)
{
	buffer_append_text(out, *row_text(waste, "outcome") ? "lasted " : "for ");
	print_value(out, waste, &(struct column){ "lasted_s", "", FORMAT_SECONDS, 0 });
}

static void append_head(struct buffer *out, const json_t *waste)
{
	const char *who = row_text(waste, "who"), *outcome = row_text(waste, "outcome");

	if (json_is_null(json_object_get(waste, "usd_hour"))) {
		buffer_append_text(out, "price unknown, ");
	} else {
		append_usd(out, waste, "usd_hour");
		buffer_append_text(out, "/h, ");
	}
	append_time(out, waste);
	buffer_printf(out, "  %s: %s %s", row_text(waste, "title"), row_text(waste, "subject"),
		      row_text(waste, "name"));
	if (*who)
		buffer_printf(out, " (%s)", who);
	if (*outcome)
		buffer_printf(out, ": %s", outcome);
}

static void add_waste(struct lines *lines, const json_t *waste, size_t width)
{
	struct buffer head CLEANUP(buffer_clear) = { 0 }, text CLEANUP(buffer_clear) = { 0 };
	const char *advice = row_text(waste, "advice"), *command = row_text(waste, "command");

	buffer_init(&head, 0);
	buffer_init(&text, 0);
	append_head(&head, waste);
	buffer_printf(&text, "%s%s", row_text(waste, "summary"), finding_doubt(waste));
	if (head.failed || text.failed)
		return;
	lines_wrap(lines, "  ! ", "    ", head.data, width);
	lines_wrap(lines, "    ", "    ", text.data, width);
	if (*advice)
		lines_wrap(lines, "    → ", "      ", advice, width);
	if (*command)
		lines_wrap(lines, "    $ ", "      ", command, 0);
}

void waste_print(FILE *out, const json_t *document, size_t most)
{
	struct lines lines CLEANUP(lines_clear) = { 0 };
	const json_t *wastes = json_object_get(document, "waste"), *waste;
	size_t i, shown = json_array_size(wastes) < most ? json_array_size(wastes) : most;
	json_int_t count = json_integer_value(json_object_get(document, "count"));
	char more[64];

	print_sums(out, document);
	json_array_foreach(wastes, i, waste)
	{
		if (i == shown)
			break;
		add_waste(&lines, waste, print_width(out));
	}
	if (count > (json_int_t)shown) {
		snprintf(more, sizeof(more), "  … and %lld more (--all)",
			 (long long)count - (long long)shown);
		lines_add(&lines, more);
	}
	if (shown > 0)
		lines_add(&lines, "Commands are only shown: Tracer runs none of them.");
	lines_print(out, &lines);
}
