/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "cli/local/arguments.h"

void arguments_add(struct arguments *arguments, const char *format, ...)
{
	struct buffer text;
	va_list args;

	assert(arguments->count < ARGUMENTS_MAX);
	buffer_init(&text, 1 << 16);
	va_start(args, format);
	buffer_vprintf(&text, format, args);
	va_end(args);
	arguments->texts[arguments->count++] = buffer_take(&text);
}

void arguments_clear(struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++)
		free(arguments->texts[i]);
	arguments->count = 0;
}
