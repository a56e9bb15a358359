/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_word.h"

#include <ctype.h>
#include <string.h>

#define SPACE_LIMIT 4 /* spaces around '=' and behind ':' */

bool redact_is_option(const char *arg, size_t len)
{
	return len >= 2 && arg[0] == '-' && (arg[1] == '-' || len == 2);
}

size_t redact_skip_spaces(const char *text, size_t len, size_t at)
{
	size_t end = at + SPACE_LIMIT < len ? at + SPACE_LIMIT : len;

	while (at < end && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at;
}

size_t redact_skip_quote(const char *text, size_t len, size_t at)
{
	if (at + 1 < len && text[at] == '\\' && redact_is_quote(text[at + 1]))
		return at + 2;
	return at < len && redact_is_quote(text[at]) ? at + 1 : at;
}

size_t redact_quoted_end(const char *text, size_t len, size_t at)
{
	char quote = text[at - 1];
	size_t end = at;

	while (end < len && text[end] != quote)
		end++;
	return end > at && end < len && text[end - 1] == '\\' ? end - 1 : end;
}

/* "${NAME}", "$(command)", "{name}": one word, to what closes it. */
static size_t skip_reference(const char *text, size_t len, size_t at)
{
	size_t open = at + (text[at] == '$' && at + 1 < len);
	char close = text[open] == '{' ? '}' : ')';
	const char *end;

	if (text[open] != '{' && (open == at || text[open] != '('))
		return at;
	end = memchr(text + open, close, len - open);
	return end ? (size_t)(end + 1 - text) : at;
}

static size_t run_to(const char *text, size_t len, size_t at, const char *stops)
{
	if (at < len)
		at = skip_reference(text, len, at);
	while (at < len && !isspace((unsigned char)text[at]) && !strchr(stops, text[at]))
		at++;
	return at;
}

size_t redact_word_end(const char *text, size_t len, size_t at)
{
	return run_to(text, len, at, "&;,\"'`)}]|<>");
}

size_t redact_shell_word_end(const char *text, size_t len, size_t at)
{
	return run_to(text, len, at, "&;|<>()`");
}

size_t redact_line_end(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] != '\n' && !redact_is_quote(text[at]))
		at++;
	return at;
}
