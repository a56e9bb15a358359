#include "correlate/record.h"

#include "base/cleanup.h"

#include "correlate/command.h"
#include "signal.pb-c.h"
#include "signal/redact.h"

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

void record_command(const char *const *argv, size_t argc, size_t limit, struct buffer *out)
{
	struct buffer masked CLEANUP(buffer_clear) = { 0 };
	const char *arg;

	buffer_init(&masked, MASKED_LIMIT);
	redact_argv(argv, argc, &masked);
	arg = masked.data;
	for (size_t i = 0; i < argc && !masked.failed && arg < masked.data + masked.len; i++) {
		size_t len = strlen(arg);

		if (out->len >= limit)
			break;
		if (i > 0)
			buffer_append_char(out, ' ');
		buffer_append(out, arg, len < limit - out->len ? len : limit - out->len);
		arg += len + 1;
	}
}
