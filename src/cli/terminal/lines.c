/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal/lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cli/terminal/columns.h"
#include "cli/terminal/print.h"

#define UNIT_MOST 4 /* "ms", "GiB,", "%)" */

void lines_clear(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->text[i]);
	free(lines->text);
	*lines = (struct lines){ 0 };
}

/* Makes room for one more line. */
static bool grow(struct lines *lines)
{
	size_t capacity = lines->capacity > 0 ? 2 * lines->capacity : 32;
	char **grown;

	if (lines->count < lines->capacity)
		return true;
	grown = reallocarray(lines->text, capacity, sizeof(*grown));
	if (!grown)
		return false;
	lines->text = grown;
	lines->capacity = capacity;
	return true;
}

/* Takes over the text. */
static void push(struct lines *lines, char *text)
{
	if (text && lines->count < LINES_MAX && grow(lines))
		lines->text[lines->count++] = text;
	else
		free(text);
}

void lines_add(struct lines *lines, const char *text)
{
	push(lines, strdup(text));
}

/* Whether a line may end before this blank: not between a number and its unit. */
static bool may_break(const char *text, size_t blank)
{
	return text[blank] == ' ' && (blank == 0 || !isdigit((unsigned char)text[blank - 1]) ||
				      strcspn(text + blank + 1, " ") > UNIT_MOST);
}

/* Bytes of text that fit on a line, up to the last blank; all of a line where there is none. */
static size_t fitting(const char *text, size_t columns)
{
	size_t len = columns_prefix(text, columns), end = len;

	if (!text[len])
		return len;
	while (end > 0 && !may_break(text, end))
		end--;
	if (end == 0)
		end = len;
	while (end > 0 && text[end - 1] == ' ')
		end--;
	return end > 0 ? end : len;
}

void lines_wrap(struct lines *lines, const char *first, const char *rest, const char *text,
		size_t width)
{
	struct buffer safe CLEANUP(buffer_clear) = { 0 };
	const char *indent = first, *at;

	buffer_init(&safe, 0);
	print_safe(&safe, text);
	if (safe.failed)
		return;
	at = safe.data ? safe.data : "";
	do {
		size_t taken = columns_of(indent), room = width > taken ? width - taken : 1;
		size_t len = width == 0 ? strlen(at) : fitting(at, room);
		struct buffer line;

		if (len == 0 && *at) /* a wide character in one column */
			len = strlen(at);
		buffer_init(&line, 0);
		buffer_append_text(&line, indent);
		buffer_append(&line, at, len);
		push(lines, buffer_take(&line));
		at += len;
		at += strspn(at, " ");
		indent = rest;
	} while (*at);
}

void lines_shorten(struct lines *lines, size_t most, size_t width)
{
	struct buffer line;
	char *last;

	if (most == 0 || lines->count <= most)
		return;
	while (lines->count > most)
		free(lines->text[--lines->count]);
	last = lines->text[most - 1];
	buffer_init(&line, 0);
	buffer_append(&line, last, width > 1 ? columns_prefix(last, width - 1) : strlen(last));
	buffer_append_text(&line, "…");
	free(last);
	lines->text[most - 1] = buffer_take(&line);
	if (!lines->text[most - 1])
		lines->count--;
}

void lines_join(struct lines *lines, struct lines *from)
{
	for (size_t i = 0; i < from->count; i++)
		push(lines, from->text[i]);
	from->count = 0;
	lines_clear(from);
}

void lines_print(FILE *out, const struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		fprintf(out, "%s\n", lines->text[i]);
}
