/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

extern const char cloud_catalogue[];
extern const size_t cloud_catalogue_size;

#define START_SIZE 256

static void split(const char *text, struct catalogue_line *ret)
{
	const char *end = strchrnul(text, '\n');

	*ret = (struct catalogue_line){ 0 };
	for (size_t i = 0; i < CATALOGUE_FIELDS; i++) {
		const char *tab = memchr(text, '\t', (size_t)(end - text));

		ret->fields[i] =
			(struct catalogue_field){ .text = text,
						  .len = (size_t)((tab ? tab : end) - text) };
		if (!tab)
			return;
		text = tab + 1;
	}
}

struct catalogue catalogue_prices(void)
{
	return (struct catalogue){ cloud_catalogue, cloud_catalogue_size };
}

/* The start of the line that has this byte. */
static size_t line_at(const char *text, size_t byte)
{
	while (byte > 0 && text[byte - 1] != '\n')
		byte--;
	return byte;
}

/* The first line that is not below `start`. */
static size_t first_from(struct catalogue catalogue, const char *start, size_t len)
{
	const char *text = catalogue.text;
	size_t low = 0, high = catalogue.size; /* both begin a line, or are the end */

	while (low < high) {
		size_t line = line_at(text, low + (high - low) / 2);
		const char *end = strchrnul(text + line, '\n');

		if (strncmp(text + line, start, len) < 0)
			low = (size_t)(end - text) + (*end == '\n');
		else
			high = line;
	}
	return low;
}

bool catalogue_find(struct catalogue catalogue, struct catalogue_line *ret,
		    const char *const *fields, size_t count)
{
	char start[START_SIZE];
	size_t len = 0, line;

	for (size_t i = 0; i < count; i++) {
		size_t field_len = strlen(fields[i]);

		if (len + field_len + 1 > sizeof(start) || strpbrk(fields[i], "\t\n"))
			return false;
		memcpy(start + len, fields[i], field_len);
		start[len + field_len] = '\t';
		len += field_len + 1;
	}
	line = first_from(catalogue, start, len);
	if (strncmp(catalogue.text + line, start, len) != 0)
		return false;
	split(catalogue.text + line, ret);
	return true;
}

bool catalogue_from(struct catalogue catalogue, struct catalogue_line *ret, const char *start)
{
	size_t line = first_from(catalogue, start, strlen(start));

	if (line == catalogue.size)
		return false;
	split(catalogue.text + line, ret);
	return true;
}

bool catalogue_next(struct catalogue_line *line)
{
	const char *end = strchrnul(line->fields[0].text, '\n');

	if (!*end || !end[1])
		return false;
	split(end + 1, line);
	return true;
}

double catalogue_number(const struct catalogue_line *line, size_t index)
{
	/* strtod() would go over a tab to the next field. */
	return line->fields[index].len ? strtod(line->fields[index].text, NULL) : 0;
}

char *catalogue_text(const struct catalogue_line *line, size_t index, char *text, size_t size)
{
	return text_cut(line->fields[index].text, line->fields[index].len, text, size);
}

bool catalogue_listed(const struct catalogue_line *line, size_t index, const char *name,
		      double *ret)
{
	const char *at = line->fields[index].text, *end = at ? at + line->fields[index].len : at;
	size_t len = strlen(name);

	while (at < end) {
		const char *blank = memchr(at, ' ', (size_t)(end - at));

		if ((size_t)(end - at) > len && memcmp(at, name, len) == 0 && at[len] == '=') {
			*ret = strtod(at + len + 1, NULL);
			return true;
		}
		at = blank ? blank + 1 : end;
	}
	return false;
}
