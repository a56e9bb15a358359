/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_random.h"

#include <ctype.h>
#include <string.h>

#define HEX_LEAST    32 /* a key of 128 bits */
#define BASE64_LEAST 20
#define UUID_LEN     36

enum class { LOWER_CASE, UPPER_CASE, DIGIT, SEPARATOR };

static enum class class_of(char byte) {
	if (islower((unsigned char)byte)) return LOWER_CASE;
	if (isupper((unsigned char)byte)) return UPPER_CASE;
	return isdigit((unsigned char)byte) ? DIGIT : SEPARATOR;
}

/* Words, numbers and sample names stay in one class for a while; random base 64 changes between
 * lower case, upper case and digits at six of ten bytes. One in four, with both cases, is asked
 * for. What separates words ('/', '-', '_') changes nothing, and many '/' make a path. */
bool redact_random_base64(const char *text, size_t len)
{
	size_t changes = 0, upper = 0, lower = 0, slashes = 0;

	for (size_t i = 0; i < len; i++) {
		enum class class = class_of(text[i]), before = class_of(text[i ? i - 1 : 0]);

		changes += class != before && class != SEPARATOR && before != SEPARATOR;
		upper += class == UPPER_CASE;
		lower += class == LOWER_CASE;
		slashes += text[i] == '/';
	}
	return 4 * changes >= len && upper >= 3 && lower >= 3 && slashes <= 3;
}

static bool is_hex(const char *text, size_t len)
{
	size_t digits = 0;

	for (size_t i = 0; i < len; i++) {
		if (!isxdigit((unsigned char)text[i]))
			return false;
		digits += isdigit((unsigned char)text[i]) != 0;
	}
	return digits && digits < len;
}

static bool is_uuid(const char *text, size_t len)
{
	if (len != UUID_LEN)
		return false;
	for (size_t i = 0; i < len; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

bool redact_random_key(const char *text, size_t len)
{
	if (len >= HEX_LEAST && is_hex(text, len))
		return true;
	if (is_uuid(text, len))
		return true;
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && !strchr("+/=_-", text[i]))
			return false;
	}
	return len >= BASE64_LEAST && redact_random_base64(text, len);
}
