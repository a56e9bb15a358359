/* SPDX-License-Identifier: Apache-2.0 */
#include "answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The value of a header, or NULL. */
static const char *header(const char *head, const char *name)
{
	size_t len = strlen(name);

	for (const char *line = strstr(head, "\r\n"); line; line = strstr(line, "\r\n")) {
		line += 2;
		if (strncasecmp(line, name, len) == 0 && line[len] == ':')
			return line + len + 1 + strspn(line + len + 1, " ");
	}
	return NULL;
}

int answer_read(const char *text, size_t len, struct answer *ret)
{
	const char *end = strstr(text, "\r\n\r\n"), *value;
	size_t head_len, body_len;

	if (!end)
		return 0;
	head_len = (size_t)(end + 4 - text);
	if (strncmp(text, "HTTP/1.1 ", 9) != 0)
		return -1;
	*ret = (struct answer){ .status = (unsigned)strtoul(text + 9, NULL, 10) };
	value = header(text, "Content-Length");
	if (!value)
		return -1;
	body_len = strtoul(value, NULL, 10);
	if (len < head_len + body_len)
		return 0;
	value = header(text, "Retry-After");
	if (value)
		ret->retry_after_s = (unsigned)strtoul(value, NULL, 10);
	value = header(text, "Connection");
	ret->closes = value && strncasecmp(value, "close", 5) == 0;
	ret->duplicate = strstr(end, "\"duplicate\":true") != NULL;
	return 1;
}
