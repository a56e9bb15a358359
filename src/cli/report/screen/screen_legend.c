/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/screen/screen_legend.h"

#include "base/cleanup.h"
#include "cli/terminal/columns.h"

#define BETWEEN 2

void screen_legend_add(struct lines *lines, const bool used[TIME_STATE_COUNT], size_t width,
		       bool colourful)
{
	struct buffer line CLEANUP(buffer_clear) = { 0 };
	size_t taken = 0;

	buffer_init(&line, 0);
	for (int i = 0; i < TIME_STATE_COUNT; i++) {
		size_t wide = 2 + columns_of(times_short_name(i));

		if (!used[i])
			continue;
		if (taken > 0 && taken + BETWEEN + wide > width && !line.failed) {
			lines_add(lines, line.data);
			buffer_reset(&line);
			taken = 0;
		}
		buffer_append_text(&line, taken > 0 ? "  " : "");
		times_sign(&line, i, colourful);
		buffer_printf(&line, " %s", times_short_name(i));
		taken += wide + (taken > 0 ? BETWEEN : 0);
	}
	if (taken > 0 && !line.failed)
		lines_add(lines, line.data);
}
