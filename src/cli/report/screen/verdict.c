/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/screen/verdict.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

void verdict_mark_run(json_t *document)
{
	json_t *run = json_object_get(document, "run"),
	       *failed = json_object_get(json_object_get(document, "verdict"), "failed_tools");

	if (json_is_object(run) && json_is_integer(failed))
		json_object_set(run, "failed_tools", failed);
}

/* "Succeeded, 3 failed, after 13.3 s." */
static void append_status(struct buffer *out, const json_t *run)
{
	static const struct column wall = { "wall_s", "", FORMAT_SECONDS, 0 };

	print_status_words(out, run);
	if (!out->failed && out->len > 0)
		out->data[0] = (char)toupper((unsigned char)out->data[0]);
	if (!json_is_number(json_object_get(run, "wall_s")))
		return;
	buffer_append_text(out,
			   json_is_string(json_object_get(run, "ended_at")) ? " after " : " for ");
	print_value(out, run, &wall);
	buffer_append_char(out, '.');
}

/* Bold and in a colour, line by line. */
static void colour(struct lines *lines, const char *sgr)
{
	for (size_t i = 0; i < lines->count; i++) {
		struct buffer line;
		char *text;

		buffer_init(&line, 0);
		buffer_printf(&line, "\033[1;%sm%s\033[0m", sgr ? sgr : "39", lines->text[i]);
		text = buffer_take(&line);
		if (!text)
			continue;
		free(lines->text[i]);
		lines->text[i] = text;
	}
}

void verdict_lines(struct lines *lines, const json_t *document, size_t width, bool colourful)
{
	struct buffer status CLEANUP(buffer_clear) = { 0 }, own CLEANUP(buffer_clear) = { 0 };
	struct lines verdict CLEANUP(lines_clear) = { 0 };
	const json_t *run = json_object_get(document, "run");
	const char *text = row_text(json_object_get(document, "verdict"), "text");

	buffer_init(&status, 0);
	buffer_init(&own, 0);
	print_status_words(&status, run);
	append_status(&own, run);
	if (status.failed || own.failed)
		return;
	lines_wrap(&verdict, "", "", *text ? text : own.data, width);
	if (colourful)
		colour(&verdict, print_status_colour(status.data));
	lines_join(lines, &verdict);
}
