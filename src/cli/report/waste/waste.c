/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/waste/waste.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/lake/row.h"
#include "cli/report/finding.h"
#include "cli/terminal/lines.h"
#include "cli/terminal/print.h"

static void append_usd(struct buffer *out, const json_t *object, const char *key)
{
	print_value(out, object, &(struct column){ key, "", FORMAT_USD, 0 });
}

static void append_now(struct buffer *out, const json_t *document, bool chosen)
{
	size_t hosts = json_array_size(json_object_get(document, "hosts"));
	json_int_t open = json_integer_value(json_object_get(document, "open"));
	json_int_t unpriced = json_integer_value(json_object_get(document, "unpriced"));

	if (open == 0) {
		buffer_printf(out, "No %swaste is found now (%zu host%s looked at).",
			      chosen ? "such " : "", hosts, hosts == 1 ? " was" : "s were");
		return;
	}
	buffer_append_text(out, "Waste now: ");
	if (unpriced < open) {
		append_usd(out, document, "usd_hour");
		buffer_append_text(out, " an hour in ");
	}
	buffer_printf(out, "%lld finding%s", (long long)open, open == 1 ? "" : "s");
	if (unpriced == open)
		buffer_append_text(out, ", without a known price");
	else if (unpriced > 0)
		buffer_printf(out, ", %lld of them without a known price", (long long)unpriced);
	buffer_append_text(out, ".");
}

static void print_sums(FILE *out, const json_t *document, bool chosen)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	bool wasted = json_number_value(json_object_get(document, "wasted_usd")) > 0;

	buffer_init(&text, 0);
	append_now(&text, document, chosen);
	if (wasted) {
		buffer_append_text(&text, " In this time: ");
		append_usd(&text, document, "wasted_usd");
		buffer_append_text(&text, " wasted");
	}
	if (json_number_value(json_object_get(document, "saved_usd")) > 0) {
		buffer_append_text(&text, wasted ? ", " : " In this time: ");
		append_usd(&text, document, "saved_usd");
		buffer_append_text(&text, " saved since what cost it is gone");
		wasted = true;
	}
	buffer_append_text(&text, wasted ? "." : "");
	buffer_append_text(&text, "\n");
	if (!text.failed)
		fputs(text.data, out);
}

static void append_time(struct buffer *out, const json_t *waste)
{
	buffer_append_text(out, *row_text(waste, "outcome") ? "lasted " : "for ");
	print_value(out, waste, &(struct column){ "lasted_s", "", FORMAT_SECONDS, 0 });
}

/* Where another finding has the price of the host, or a part of it, only the rest counts. */
static bool is_counted(const json_t *waste)
{
	return !json_is_false(json_object_get(waste, "counted"));
}

static void append_head(struct buffer *out, const json_t *waste)
{
	const char *who = row_text(waste, "who"), *outcome = row_text(waste, "outcome");

	if (json_is_null(json_object_get(waste, "usd_hour"))) {
		buffer_append_text(out, "price unknown, ");
	} else {
		append_usd(out, waste, "usd_hour");
		buffer_append_text(out, "/h");
		buffer_append_text(out, is_counted(waste) ? ", " : " (not in the sum), ");
	}
	append_time(out, waste);
	buffer_printf(out, "  %s: %s %s", row_text(waste, "title"), row_text(waste, "subject"),
		      row_text(waste, "name"));
	if (*who)
		buffer_printf(out, " (%s)", who);
	if (*outcome)
		buffer_printf(out, ": %s", outcome);
}

static const char *hostname_of(const json_t *document, const char *host_id)
{
	const json_t *host;
	size_t i;

	json_array_foreach(json_object_get(document, "hosts"), i, host)
	{
		if (strcmp(row_text(host, "id"), host_id) == 0)
			return row_text(host, "hostname");
	}
	return "";
}

/* Where its command is to be run: a process or a folder of this name is elsewhere another one. ""
 * for what anyone may run. */
static const char *command_host(const json_t *document, const json_t *waste)
{
	static const char *const SUBJECTS[] = { "task", "run", "gpu", "folder", NULL };

	const char *host_id = row_text(waste, "host_id");

	if (!text_is_one_of(row_text(waste, "subject"), SUBJECTS))
		return "";
	/* A folder makes no one pay for its host: that is evidence alone. */
	return hostname_of(document,
			   *host_id ? host_id
				    : row_text(json_object_get(waste, "evidence"), "host_id"));
}

static void add_command(struct lines *lines, const json_t *document, const json_t *waste)
{
	const char *host = command_host(document, waste), *command = row_text(waste, "command");
	struct buffer prompt CLEANUP(buffer_clear) = { 0 };

	buffer_init(&prompt, 0);
	buffer_append_text(&prompt, *host ? "    on " : "    ");
	print_safe(&prompt, host);
	buffer_append_text(&prompt, *host ? " $ " : "$ ");
	if (*command && !prompt.failed)
		lines_wrap(lines, prompt.data, "      ", command, 0);
}

static void add_waste(struct lines *lines, const json_t *document, const json_t *waste,
		      size_t width)
{
	struct buffer head CLEANUP(buffer_clear) = { 0 }, text CLEANUP(buffer_clear) = { 0 };
	const char *advice = row_text(waste, "advice");

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
	add_command(lines, document, waste);
}

void waste_print(FILE *out, const json_t *document, const struct waste_view *view)
{
	struct lines lines CLEANUP(lines_clear) = { 0 };
	const json_t *waste;
	json_int_t left =
		json_integer_value(json_object_get(document, view->ended ? "count" : "open"));
	size_t i, shown = 0;
	char more[64];

	print_sums(out, document, view->chosen);
	json_array_foreach(json_object_get(document, "waste"), i, waste)
	{
		if (shown == view->most || left == 0)
			break;
		if (*row_text(waste, "outcome") && !view->ended)
			continue;
		add_waste(&lines, document, waste, print_width(out));
		lines_print(out, &lines);
		lines_clear(&lines);
		shown++;
		left--;
	}
	if (left > 0) {
		snprintf(more, sizeof(more), "  … and %lld more (--all)", (long long)left);
		lines_add(&lines, more);
	}
	if (shown > 0)
		lines_add(&lines, "Commands are only shown: Tracer runs none of them.");
	lines_print(out, &lines);
}
