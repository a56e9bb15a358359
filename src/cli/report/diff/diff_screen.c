/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/diff/diff_screen.h"

#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/report/diff/diff_parts.h"
#include "cli/report/diff/diff_steps.h"
#include "cli/report/screen/screen_size.h"
#include "cli/terminal/lines.h"
#include "cli/terminal/print.h"

#define SUMMARY_LINES 4

static void add_run(struct lines *lines, const char *title, const json_t *run)
{
	static const struct column wall = { "wall_ns", "", FORMAT_NS, 0 },
				   began = { "started_at", "", FORMAT_TIME, 0 };
	struct buffer line CLEANUP(buffer_clear) = { 0 };

	buffer_init(&line, 0);
	buffer_append_text(&line, title);
	print_safe(&line, *row_text(run, "name") ? row_text(run, "name") : row_text(run, "id"));
	buffer_append_text(&line, "  ");
	print_safe(&line, row_text(run, "status"));
	buffer_append_text(&line, "  began ");
	print_value(&line, run, &began);
	buffer_append_text(&line, "  took ");
	print_value(&line, run, &wall);
	lines_add(lines, line.data);
}

static void add_notes(struct lines *lines, const json_t *document, size_t width)
{
	const json_t *note;
	size_t i;

	json_array_foreach(json_object_get(document, "notes"), i, note)
	{
		const char *run = row_text(note, "run_id");
		const json_t *from = json_object_get(document, "from");
		struct buffer line CLEANUP(buffer_clear) = { 0 };

		buffer_init(&line, 0);
		if (*run)
			buffer_append_text(&line, strcmp(run, row_text(from, "id")) == 0
							  ? "The earlier run: "
							  : "The later run: ");
		buffer_append_text(&line, row_text(note, "text"));
		lines_wrap(lines, "Note: ", "  ", line.data, width);
	}
}

void diff_screen_print(FILE *out, const json_t *document)
{
	const struct screen_size size = screen_size_of(out);
	struct lines head CLEANUP(lines_clear) = { 0 }, summary CLEANUP(lines_clear) = { 0 };

	lines_wrap(&summary, "", "  ", row_text(document, "summary"), size.width);
	lines_shorten(&summary, SUMMARY_LINES, size.width);
	lines_join(&head, &summary);
	add_run(&head, "From  ", json_object_get(document, "from"));
	add_run(&head, "To    ", json_object_get(document, "to"));
	add_notes(&head, document, size.width);
	if (json_is_integer(json_object_get(document, "difference_ns")))
		diff_parts_add(&head, document, size.width);
	diff_steps_add(&head, document, &size);
	lines_print(out, &head);
}
