/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_pair.h"

#include "signal/redact/redact_value.h"

#include <string.h>
#include <strings.h>

#define NAME_LIMIT 64  /* bytes of a name */
#define PAIR_LIMIT 512 /* bytes from the name to the password's end */

static size_t name_end(const char *text, size_t len, size_t at)
{
	size_t end = at;

	while (end < len && end - at < NAME_LIMIT && redact_is_name_byte(text[end]))
		end++;
	return end;
}

/* The text within quotes at `at`; false: there is none that ends. */
static bool read_quoted(const char *text, size_t len, size_t at, struct redact_place *ret)
{
	ret->value = redact_skip_quote(text, len, at);
	if (ret->value == at || text[ret->value - 1] == '`')
		return false;
	ret->end = redact_quoted_end(text, len, ret->value);
	return ret->end < len;
}

bool redact_pair(const struct redact_text *text, size_t at, struct redact_place *ret)
{
	const char *bytes = text->bytes;
	size_t len = text->len - at > PAIR_LIMIT ? at + PAIR_LIMIT : text->len, next;
	struct redact_place user;

	if (at && redact_is_name_byte(bytes[at - 1]))
		return false;
	next = name_end(bytes, len, at);
	if (next - at < 4 || strncasecmp(bytes + next - 4, "auth", 4) != 0)
		return false;
	next = redact_skip_spaces(bytes, len, redact_skip_quote(bytes, len, next));
	if (next < len && (bytes[next] == '=' || bytes[next] == ':')) {
		next = redact_skip_spaces(bytes, len, next + 1);
		next = name_end(bytes, len, next); /* auth=HTTPBasicAuth( */
	}
	if (next >= len || (bytes[next] != '(' && bytes[next] != '['))
		return false;
	if (!read_quoted(bytes, len, redact_skip_spaces(bytes, len, next + 1), &user))
		return false;
	next = redact_skip_quote(bytes, len, user.end);
	next = redact_skip_spaces(bytes, len, next);
	if (next >= len || bytes[next] != ',' ||
	    !read_quoted(bytes, len, redact_skip_spaces(bytes, len, next + 1), ret))
		return false;
	if (ret->end == ret->value &&
	    !redact_value_is_user(bytes + user.value, user.end - user.value))
		*ret = user; /* a key in the place of the name */
	return redact_value_hides(REDACT_SECRET, bytes + ret->value, ret->end - ret->value);
}
