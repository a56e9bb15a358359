/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/lake/client.h"
#include "cli/terminal/print.h"

#define CLOCK_SHOWN_NS (10 * NS_PER_MS) /* smaller offsets are "right" */

static const struct column columns[] = {
	{ "host", "HOST", FORMAT_TEXT, 40 },         { "status", "STATUS", FORMAT_STATUS, 0 },
	{ "started_at", "STARTED", FORMAT_TIME, 0 }, { "clock", "CLOCK", FORMAT_TEXT, 40 },
	{ "reason", "JOINED BY", FORMAT_TEXT, 0 },   { "value", "", FORMAT_SENTENCE, 100 },
};

/* "1.20 s ahead ± 0.40 ms": the offset from the clock of the lake. */
static json_t *clock_words(const json_t *part)
{
	json_int_t offset = json_integer_value(json_object_get(part, "clock_offset_ns"));
	json_int_t error = json_integer_value(json_object_get(part, "clock_error_ns"));
	char off[32], wrong[32], words[96];

	if (!error)
		return json_string("unknown");
	if (llabs(offset) < (json_int_t)CLOCK_SHOWN_NS || llabs(offset) < error)
		return json_string("right");
	(void)snprintf(words, sizeof(words), "%s %s ± %s",
		       text_duration((uint64_t)llabs(offset), off, sizeof(off)),
		       offset < 0 ? "ahead" : "behind",
		       text_duration((uint64_t)error, wrong, sizeof(wrong)));
	return json_string(words);
}

void report_parts_print(const json_t *document)
{
	json_t *parts CLEANUP(json_decrefp) = json_deep_copy(json_object_get(document, "parts"));
	json_t *part;
	size_t i;

	if (json_array_size(parts) < 2)
		return;
	json_array_foreach(parts, i, part) json_object_set_new(part, "clock", clock_words(part));
	putchar('\n');
	print_table(stdout, parts, columns, sizeof(columns) / sizeof(*columns));
}
