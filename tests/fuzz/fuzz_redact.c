/* SPDX-License-Identifier: Apache-2.0 */
/* Any command line, arguments separated by NULs: the value of an option named "password" must be
 * masked. */
#include "fuzz.h"

#include <string.h>

#include "signal/redact/redact.h"

#define ARGS_LIMIT 64

static size_t split(const char *text, size_t len, const char *args[ARGS_LIMIT])
{
	size_t count = 0;

	for (size_t at = 0; at < len && count < ARGS_LIMIT; at += strlen(text + at) + 1)
		args[count++] = text + at;
	return count;
}

static size_t nuls_in(const struct buffer *buffer)
{
	size_t count = 0;

	for (size_t i = 0; i < buffer->len; i++)
		count += buffer->data[i] == '\0';
	return count;
}

/* Behind an 'x' it is no reference, path or switch. */
static void must_mask_its_value(const char *text, size_t len)
{
	char *value = malloc(len + 2);
	const char *const args[] = { "tool", "--password", value };
	struct buffer out;

	MUST(value);
	value[0] = 'x';
	memcpy(value + 1, text, len + 1);
	buffer_init(&out, 0);
	MUST(redact_argv(args, 3, &out) == 1);
	MUST(!strcmp(out.data + sizeof("tool\0--password"), REDACT_MASK));
	buffer_clear(&out);
	free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const char *args[ARGS_LIMIT];
	char *text = malloc(len + 1);
	struct buffer out;
	size_t count;

	MUST(text);
	memcpy(text, bytes, len);
	text[len] = '\0';
	count = split(text, len, args);
	buffer_init(&out, 0);
	MUST(redact_argv(args, count, &out) <= count);
	MUST(!out.failed && nuls_in(&out) == count);
	buffer_reset(&out);
	MUST(redact_text(text, &out) == (strcmp(out.data, text) != 0));
	must_mask_its_value(text, strlen(text));
	buffer_clear(&out);
	free(text);
	return 0;
}
