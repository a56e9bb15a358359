/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_table.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/file.h"

void table_open(struct table *table, const char *name)
{
	char path[512];
	size_t len;

	snprintf(path, sizeof(path), "%s/unit/correlate/data/%s", TESTS_DIR, name);
	table->line = 0;
	if (file_read(AT_FDCWD, path, 1 << 20, &table->text, &len))
		fail_msg("cannot read %s", path);
	table->at = table->text;
}

void table_close(struct table *table)
{
	free(table->text);
}

static char *put(struct table *table, char *out, char byte)
{
	assert_true(out < table->bytes + sizeof(table->bytes) - 1);
	*out++ = byte;
	return out;
}

/* One escape, behind its backslash. */
static const char *unescape(struct table *table, const char *at, char **out)
{
	char *end;
	long count;

	switch (*at) {
	case 'n':
		*out = put(table, *out, '\n');
		return at + 1;
	case 't':
		*out = put(table, *out, '\t');
		return at + 1;
	case 'x': {
		const char digits[] = { at[1], at[2], '\0' };

		*out = put(table, *out, (char)strtol(digits, NULL, 16));
		return at + 3;
	}
	case '*':
		count = strtol(at + 1, &end, 10);
		while (count-- > 0)
			*out = put(table, *out, end[1]);
		return end + 2;
	default:
		*out = put(table, *out, *at);
		return at + 1;
	}
}

static const char *read_word(struct table *table, const char *at, char **out)
{
	char quote = '\0';

	table->words[table->count++] = *out;
	while (*at && (quote || *at != ' ')) {
		if (*at == quote) {
			quote = '\0';
			at++;
		} else if (!quote && (*at == '\'' || *at == '"')) {
			quote = *at++;
		} else if (*at == '\\') {
			at = unescape(table, at + 1, out);
		} else {
			*out = put(table, *out, *at++);
		}
	}
	*out = put(table, *out, '\0');
	return at;
}

void table_read(struct table *table, const char *text)
{
	const char *at = text + strspn(text, " ");
	char *out = table->bytes;

	table->count = 0;
	while (*at) {
		assert_true(table->count < TABLE_WORD_LIMIT);
		at = read_word(table, at, &out);
		at += strspn(at, " ");
	}
	table->words[table->count] = NULL;
}

bool table_next(struct table *table)
{
	while (*table->at) {
		size_t len = strcspn(table->at, "\n");

		snprintf(table->raw, sizeof(table->raw), "%.*s", (int)len, table->at);
		table->at += len + (table->at[len] == '\n');
		table->line++;
		if (table->raw[0] == '#' || table->raw[strspn(table->raw, " ")] == '\0')
			continue;
		table_read(table, table->raw);
		return true;
	}
	return false;
}
