/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/shell_quote.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

static bool is_safe(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!text_is_alnum(*text) && !strchr("-_./:,+@%=", *text))
			return false;
	return true;
}

static void quote_plain(struct buffer *out, const char *text)
{
	buffer_append_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			buffer_append_text(out, "'\\''");
		else
			buffer_append_char(out, *text);
	}
	buffer_append_char(out, '\'');
}

/* As the format of printf(1): bytes that mean something to it or a shell as octal numbers. */
static void quote_bytes(struct buffer *out, const char *text)
{
	buffer_append_text(out, "\"$(printf '");
	for (; *text; text++) {
		if (text_is_alnum(*text) || strchr("_./:,+@= ", *text))
			buffer_append_char(out, *text);
		else if (*text == '%')
			buffer_append_text(out, "%%");
		else
			buffer_printf(out, "\\%03o", (unsigned)(unsigned char)*text);
	}
	buffer_append_text(out, "')\"");
}

void shell_quote(struct buffer *out, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (!text || (len > 0 && text[len - 1] == '\n')) /* which $(…) cuts off */
		out->failed = true;
	else if (is_safe(text))
		buffer_append_text(out, text);
	else if (utf8_is_plain(text, len))
		quote_plain(out, text);
	else
		quote_bytes(out, text);
}

void shell_name(struct buffer *out, const char *name)
{
	if (!name || !*name || *name == '-')
		out->failed = true;
	else
		shell_quote(out, name);
}
