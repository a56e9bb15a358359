/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/percent.h"

#include <errno.h>

#include "base/utf8.h"

static int hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

/* The byte at *at, which moves behind it; -1 for a broken escape. */
static int next_byte(const char *encoded, size_t len, bool plus, size_t *at)
{
	char byte = encoded[(*at)++];
	int high, low;

	if (plus && byte == '+')
		return ' ';
	if (byte != '%')
		return (unsigned char)byte;
	if (len - *at < 2)
		return -1;
	high = hex_digit(encoded[*at]);
	low = hex_digit(encoded[*at + 1]);
	*at += 2;
	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

int percent_decode(const char *encoded, size_t len, bool plus, char *text, size_t size)
{
	size_t used = 0;

	for (size_t at = 0; at < len;) {
		int byte = next_byte(encoded, len, plus, &at);

		if (byte < 0x20 || byte == 0x7F)
			return -EINVAL;
		if (used + 1 >= size)
			return -EMSGSIZE;
		text[used++] = (char)byte;
	}
	if (!utf8_valid(text, used))
		return -EINVAL;
	text[used] = '\0';
	return 0;
}
