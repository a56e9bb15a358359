/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdio.h>

/* A message may quote outside input: it stays one line and cannot control a terminal. */
static void defuse(char *text)
{
	for (; *text; text++) {
		if (*text == '\n' || *text == '\t')
			*text = ' ';
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
	}
}

int error_set(struct error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	defuse(err->text);
	return code;
}

const char *error_text(const struct error *err)
{
	return err && err->text[0] ? err->text : "unknown error";
}
