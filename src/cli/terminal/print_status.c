/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/terminal/print.h"

/* The status of a run or task in words and colour. */

#define FINE "succeeded"

void print_status_words(struct buffer *out, const json_t *object)
{
	const char *status = json_string_value(json_object_get(object, "status"));
	json_int_t failed = json_integer_value(json_object_get(object, "failed_tools"));

	print_safe(out, status && *status ? status : "unknown");
	if (status && strcmp(status, FINE) == 0 && failed > 0)
		buffer_printf(out, ", %" JSON_INTEGER_FORMAT " failed", failed);
}

const char *print_status_colour(const char *words)
{
	static const struct {
		const char *status, *colour;
	} colours[] = { { FINE, "32" },     { "running", "36" }, { "failed", "31" },
			{ "killed", "31" }, { "lost", "33" },    { "stalled", "33" } };

	if (text_starts_with(words, FINE ", "))
		return "33";
	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++)
		if (strcmp(colours[i].status, words) == 0)
			return colours[i].colour;
	return NULL;
}

bool print_colourful(FILE *out)
{
	return isatty(fileno(out)) && !getenv("NO_COLOR");
}

void print_coloured(FILE *out, const char *words, const char *colour)
{
	if (colour && print_colourful(out))
		fprintf(out, "\033[%sm%s\033[0m", colour, words);
	else
		fputs(words, out);
}
