/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_events.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "cli/lake/expected_events.h"
#include "cli/terminal/print.h"

void report_events_print(const json_t *document)
{
	static const struct column columns[] = {
		{ "happened_at", "WHEN", FORMAT_TIME, 0 },
		{ "kind", "EVENT", FORMAT_TEXT, 0 },
		{ "summary", "WHAT", FORMAT_SENTENCE, 100 },
	};
	const json_t *events = json_object_get(document, "events");
	json_t *shown CLEANUP(json_decrefp) = events_unexpected(events);
	struct buffer note CLEANUP(buffer_clear) = { 0 };

	buffer_init(&note, 0);
	if (json_array_size(shown) > 0) {
		putchar('\n');
		print_table(stdout, shown, columns, sizeof(columns) / sizeof(*columns));
	}
	events_expected_note(&note, events, "`tracer events --all`");
	if (note.len > 0 && !note.failed)
		printf("\n%s\n", note.data);
}
