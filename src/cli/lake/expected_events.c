/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/expected_events.h"

#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

bool event_is_expected(const json_t *event)
{
	const json_t *expected = json_object_get(event, "expected");

	/* An older lake has "routine". */
	return json_is_true(expected ? expected : json_object_get(event, "routine"));
}

json_t *events_unexpected(const json_t *events)
{
	json_t *others = json_array();
	const json_t *event;
	size_t i;

	json_array_foreach(events, i, event)
	{
		if (!event_is_expected(event))
			json_array_append(others, (json_t *)event);
	}
	return others;
}

/* "`grep` exit code 1", or else the name of the kind. A summary begins with "TOOL (pid …". */
static void append_example(struct buffer *out, const json_t *event)
{
	const char *summary = row_text(event, "summary"), *end = strstr(summary, " (pid ");
	json_int_t code = json_integer_value(json_object_get(event, "code"));
	struct buffer tool CLEANUP(buffer_clear) = { 0 };

	buffer_init(&tool, 0);
	if (!end || strcmp(row_text(event, "kind"), "exit_failed") != 0 || code == 0) {
		print_safe(out, *summary ? summary : row_text(event, "kind"));
		return;
	}
	buffer_append(&tool, summary, (size_t)(end - summary));
	buffer_append_char(out, '`');
	print_safe(out, tool.failed ? "?" : tool.data);
	buffer_printf(out, "` exit code %" JSON_INTEGER_FORMAT, code);
}

/* Counts one more of its kind in the object `counts`. Returns how many there are. */
static json_int_t count(json_t *counts, const char *kind)
{
	json_int_t so_far = json_integer_value(json_object_get(counts, kind)) + 1;

	json_object_set_new(counts, kind, json_integer(so_far));
	return so_far;
}

void events_expected_note(struct buffer *out, const json_t *events, const char *remedy)
{
	json_t *counts CLEANUP(json_decrefp) = json_object();
	struct buffer best CLEANUP(buffer_clear) = { 0 };
	json_int_t most = 0;
	size_t expected = 0, i;
	const json_t *event;

	buffer_init(&best, 0);
	json_array_foreach(events, i, event)
	{
		struct buffer example CLEANUP(buffer_clear) = { 0 };

		if (!event_is_expected(event))
			continue;
		expected++;
		buffer_init(&example, 0);
		append_example(&example, event);
		if (example.failed || count(counts, example.data) <= most)
			continue;
		most++;
		buffer_reset(&best);
		buffer_append_text(&best, example.data);
	}
	if (expected == 0 || best.failed)
		return;
	if (expected == 1)
		buffer_printf(out, "1 expected failure is not shown, %s: %s shows it", best.data,
			      remedy);
	else
		buffer_printf(out, "%zu expected failures are not shown, such as %s: %s shows them",
			      expected, best.data, remedy);
}
