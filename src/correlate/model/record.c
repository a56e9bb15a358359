/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/model/record.h"

#include "base/cleanup.h"

#include "correlate/command/command.h"
#include "signal.pb-c.h"
#include "signal/redact/redact.h"

#include <stdlib.h>
#include <string.h>

#define MASKED_LIMIT (256u << 10) /* bytes; an argv is cut at 32 KiB before it comes here */

void record_clear(char **field)
{
	if (*field != protobuf_c_empty_string)
		free(*field);
	*field = (char *)protobuf_c_empty_string;
}

void record_set(char **field, const char *text, size_t limit)
{
	struct buffer masked CLEANUP(buffer_clear) = { 0 };

	buffer_init(&masked, MASKED_LIMIT);
	redact_text(text, &masked);
	record_keep(field, masked.failed || !masked.data ? "" : masked.data, limit);
}

void record_keep(char **field, const char *text, size_t limit)
{
	size_t len = strnlen(text, limit);
	/* An invalid byte becomes three. */
	size_t size = len * 3 + 1 < limit + 1 ? len * 3 + 1 : limit + 1;
	char *copy = len ? malloc(size) : NULL;

	if (copy)
		name_copy(text, len, copy, size);
	record_clear(field);
	if (copy)
		*field = copy;
}

void record_set_value(char **field, const char *key, const char *value, size_t limit)
{
	struct buffer pair CLEANUP(buffer_clear) = { 0 }, masked CLEANUP(buffer_clear) = { 0 };
	size_t behind = strlen(key) + 1;
	const char *arg;

	buffer_init(&pair, MASKED_LIMIT);
	buffer_init(&masked, MASKED_LIMIT);
	buffer_printf(&pair, "%s=%s", key, value);
	arg = pair.data;
	if (!pair.failed)
		redact_argv(&arg, 1, &masked);
	record_keep(field, masked.failed || masked.len <= behind ? "" : masked.data + behind,
		    limit);
}

static void append(struct buffer *out, const char *arg, size_t limit)
{
	size_t len = strlen(arg);

	buffer_append(out, arg, len < limit - out->len ? len : limit - out->len);
}

void record_command(const char *const *masked, size_t argc, size_t limit, struct buffer *out)
{
	for (size_t i = 0; masked && i < argc && out->len < limit; i++) {
		if (i > 0)
			buffer_append_char(out, ' ');
		append(out, masked[i], limit);
	}
}

void record_program(const char *program, size_t limit, struct buffer *out)
{
	struct buffer masked CLEANUP(buffer_clear) = { 0 };

	buffer_init(&masked, MASKED_LIMIT);
	redact_argv(&program, 1, &masked);
	if (!masked.failed && out->len < limit)
		append(out, masked.data, limit);
}
