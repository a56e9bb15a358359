/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_events.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "cli/terminal/print.h"

/* The events that the screen shows: without routine ones. */
static json_t *news_of(const json_t *document)
{
	json_t *news = json_array();
	const json_t *event;
	size_t i;

	json_array_foreach(json_object_get(document, "events"), i, event)
	{
		if (!json_is_true(json_object_get(event, "routine")))
			json_array_append(news, (json_t *)event);
	}
	return news;
}

static void print_routine(const json_t *document)
{
	size_t inside = 0, outside = 0, i;
	const json_t *event;

	json_array_foreach(json_object_get(document, "events"), i, event)
	{
		if (!json_is_true(json_object_get(event, "routine")))
			continue;
		if (json_is_string(json_object_get(event, "task_id")))
			inside++;
		else
			outside++;
	}
	if (inside + outside == 0)
		return;
	printf("\nNot shown:");
	if (inside > 0)
		printf(" %zu inside tasks that succeeded", inside);
	if (outside > 0)
		printf("%s %zu outside any task", inside > 0 ? "," : "", outside);
	printf(": a process ended with another code than 0, or was not found (`tracer events`).\n");
}

void report_events_print(const json_t *document)
{
	static const struct column columns[] = {
		{ "happened_at", "WHEN", FORMAT_TIME, 0 },
		{ "kind", "EVENT", FORMAT_TEXT, 0 },
		{ "summary", "WHAT", FORMAT_SENTENCE, 100 },
	};
	json_t *news CLEANUP(json_decrefp) = news_of(document);

	if (json_array_size(news) > 0) {
		putchar('\n');
		print_table(stdout, news, columns, 3);
	}
	print_routine(document);
}
