/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/times_row.h"

#include <stdint.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/terminal/columns.h"
#include "cli/terminal/print.h"

static void append_name(struct buffer *out, const struct times_row *row)
{
	struct buffer name CLEANUP(buffer_clear) = { 0 };

	buffer_init(&name, 0);
	buffer_append_text(&name, row->indent);
	print_safe(&name, row->name);
	columns_fit(out, name.failed ? "?" : name.data, row->name_width);
}

void times_row_append(struct buffer *out, const struct times_row *row, const struct times *times)
{
	char text[48];

	append_name(out, row);
	text_duration((uint64_t)times_shown_ns(times), text, sizeof(text));
	buffer_append_text(out, "  ");
	columns_right(out, times_known(times) ? text : "–", TIMES_TIME_WIDTH);
	buffer_append_text(out, "  ");
	times_bar(out, times, row->bar_width, row->colourful);
	if (!row->waits)
		return;
	buffer_append_text(out, "  ");
	times_wait(out, times);
}

void times_row_title(struct buffer *out, const struct times_row *row, const char *title,
		     const char *time)
{
	columns_fit(out, title, row->name_width);
	buffer_append_text(out, "  ");
	columns_right(out, time, TIMES_TIME_WIDTH);
	if (!row->waits)
		return;
	buffer_append_text(out, "  ");
	columns_fit(out, "", row->bar_width);
	buffer_append_text(out, "  WAITS MOSTLY ON");
}
