/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

static bool continues(const char *text, unsigned char from, unsigned char to)
{
	unsigned char byte = (unsigned char)*text;

	return byte >= from && byte <= to;
}

/* The range of the second byte after this first byte; length 0: it cannot begin a sequence. */
static size_t first_byte(unsigned char byte, unsigned char *from, unsigned char *to)
{
	*from = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
	*to = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
	if (byte < 0x80)
		return 1;
	if (byte < 0xc2 || byte > 0xf4)
		return 0;
	return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

size_t utf8_sequence(const char *text, size_t len)
{
	unsigned char from, to;
	size_t bytes = first_byte((unsigned char)*text, &from, &to);

	if (bytes > len || (bytes > 1 && !continues(text + 1, from, to)))
		return 0;
	for (size_t i = 2; i < bytes; i++) {
		if (!continues(text + i, 0x80, 0xbf))
			return 0;
	}
	return bytes;
}

/* How many bytes at the start are ASCII, as those of most texts are. */
static size_t ascii(const char *text, size_t len)
{
	size_t bytes = 0;
	uint64_t word;

	for (; len - bytes >= sizeof(word); bytes += sizeof(word)) {
		memcpy(&word, text + bytes, sizeof(word));
		if (word & UINT64_C(0x8080808080808080))
			break;
	}
	while (bytes < len && (unsigned char)text[bytes] < 0x80)
		bytes++;
	return bytes;
}

bool utf8_valid(const char *text, size_t len)
{
	while (len) {
		size_t bytes = ascii(text, len);

		if (!bytes)
			bytes = utf8_sequence(text, len);

		if (!bytes)
			return false;
		text += bytes;
		len -= bytes;
	}
	return true;
}

bool utf8_is_control(const char *text, size_t len)
{
	const unsigned char *byte = (const unsigned char *)text;

	if (len == 1)
		return byte[0] < 0x20 || byte[0] == 0x7f;
	if (len == 2) /* C1: U+0080 to U+009F */
		return (byte[0] == 0xc2 && byte[1] < 0xa0) || (byte[0] == 0xd8 && byte[1] == 0x9c);
	if (len != 3 || byte[0] != 0xe2)
		return false;
	return (byte[1] == 0x80 &&
		((byte[2] >= 0xaa && byte[2] <= 0xae) || byte[2] == 0x8e || byte[2] == 0x8f)) ||
	       (byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9);
}

#define EACH_BYTE(byte) ((byte)*UINT64_C(0x0101010101010101))

/* Whether each byte is from ' ' to '~'. */
static bool is_printable(uint64_t word)
{
	const uint64_t high = EACH_BYTE(0x80);

	return !(word & high) && (((word | high) - EACH_BYTE(' ')) & high) == high &&
	       !((word + EACH_BYTE(1)) & high);
}

/* How many bytes at the start are printable ASCII. */
static size_t printable(const char *text, size_t len)
{
	size_t bytes = 0;
	uint64_t word;

	for (; len - bytes >= sizeof(word); bytes += sizeof(word)) {
		memcpy(&word, text + bytes, sizeof(word));
		if (!is_printable(word))
			break;
	}
	while (bytes < len && text[bytes] >= ' ' && text[bytes] <= '~')
		bytes++;
	return bytes;
}

bool utf8_is_plain(const char *text, size_t len)
{
	while (len) {
		size_t bytes = printable(text, len);

		text += bytes;
		len -= bytes;
		if (!len)
			break;
		bytes = utf8_sequence(text, len);
		if (!bytes || utf8_is_control(text, bytes))
			return false;
		text += bytes;
		len -= bytes;
	}
	return true;
}

void utf8_repair(const char *text, size_t len, struct buffer *out)
{
	size_t valid = 0; /* bytes at text that can be appended unchanged */

	while (valid < len) {
		size_t bytes = utf8_sequence(text + valid, len - valid);

		if (bytes) {
			valid += bytes;
			continue;
		}
		buffer_append(out, text, valid);
		buffer_append_text(out, "\xef\xbf\xbd");
		text += valid + 1;
		len -= valid + 1;
		valid = 0;
	}
	buffer_append(out, text, valid);
}
