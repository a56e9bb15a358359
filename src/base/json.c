/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_LIMIT 31 /* bits of has_item, less the outermost level */

void json_init(struct json *json, struct buffer *out, bool pretty)
{
	*json = (struct json){ .out = out, .pretty = pretty };
}

static void new_line(struct json *json)
{
	if (!json->pretty)
		return;
	buffer_append_char(json->out, '\n');
	for (unsigned i = 0; i < json->depth; i++)
		buffer_append_text(json->out, "  ");
}

/* The text between this value or key and the one before. */
static void separate(struct json *json)
{
	uint32_t bit = UINT32_C(1) << json->depth;

	if (json->after_key) {
		json->after_key = false;
		return;
	}
	if (json->has_item & bit)
		buffer_append_char(json->out, ',');
	if (json->depth)
		new_line(json);
	json->has_item |= bit;
}

static void begin(struct json *json, char bracket)
{
	separate(json);
	buffer_append_char(json->out, bracket);
	if (json->depth >= DEPTH_LIMIT) {
		json->out->failed = true;
		return;
	}
	json->depth++;
	json->has_item &= ~(UINT32_C(1) << json->depth);
}

static void end(struct json *json, char bracket)
{
	bool had_items = json->has_item & UINT32_C(1) << json->depth;

	if (json->depth)
		json->depth--;
	if (had_items)
		new_line(json);
	buffer_append_char(json->out, bracket);
}

void json_object_begin(struct json *json)
{
	begin(json, '{');
}

void json_object_end(struct json *json)
{
	end(json, '}');
}

void json_array_begin(struct json *json)
{
	begin(json, '[');
}

void json_array_end(struct json *json)
{
	end(json, ']');
}

/* The letter of RFC 8259's short escape of a byte (\n, \t, …), or 0. */
static char short_escape(char byte)
{
	static const char bytes[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";
	const char *found = byte ? strchr(bytes, byte) : NULL;

	return (char)(found ? letters[found - bytes] : 0);
}

/* The code point of a sequence of one to three bytes. */
static unsigned code_point(const char *text, size_t len)
{
	const unsigned char *byte = (const unsigned char *)text;

	if (len == 1)
		return byte[0];
	if (len == 2)
		return (byte[0] & 0x1fU) << 6 | (byte[1] & 0x3fU);
	return (byte[0] & 0x0fU) << 12 | (byte[1] & 0x3fU) << 6 | (byte[2] & 0x3fU);
}

/* Returns how many bytes of text it wrote. */
static size_t escape(struct buffer *out, const char *text, size_t len)
{
	char letter = short_escape(*text);
	size_t bytes = utf8_sequence(text, len);

	if (letter) {
		buffer_append_char(out, '\\');
		buffer_append_char(out, letter);
	} else if (bytes) {
		buffer_printf(out, "\\u%04x", code_point(text, bytes));
	} else {
		buffer_append_text(out, "\xef\xbf\xbd"); /* U+FFFD for invalid UTF-8 */
	}
	return bytes ? bytes : 1;
}

/* Nearly all bytes of nearly all texts. */
static bool is_plain_ascii(char byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The high bit of each byte of a word that is 0, and maybe of bytes above one that is. */
static uint64_t zero_bytes(uint64_t word)
{
	return (word - EACH_BYTE(1)) & ~word & EACH_BYTE(0x80);
}

/* Whether all of eight bytes are plain ASCII. */
static bool are_plain_ascii(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return !(((word | (word + EACH_BYTE(1)) | (word - EACH_BYTE(' '))) & EACH_BYTE(0x80)) |
		 zero_bytes(word ^ EACH_BYTE('"')) | zero_bytes(word ^ EACH_BYTE('\\')));
}

/* The number of bytes at the start of text that need no escape. */
static size_t plain_bytes(const char *text, size_t len)
{
	size_t plain = 0, bytes;

	for (;;) {
		while (len - plain >= sizeof(uint64_t) && are_plain_ascii(text + plain))
			plain += sizeof(uint64_t);
		while (plain < len && is_plain_ascii(text[plain]))
			plain++;
		if (plain == len || short_escape(text[plain]))
			break;
		bytes = utf8_sequence(text + plain, len - plain);
		if (!bytes || utf8_is_control(text + plain, bytes))
			break;
		plain += bytes;
	}
	return plain;
}

/* A text that needs no escape, and what follows it. */
static void quote_plain(struct buffer *out, const char *text, size_t len, char behind)
{
	char *room = buffer_extend(out, len + 2 + (behind != 0));

	if (!room)
		return;
	*room++ = '"';
	memcpy(room, text, len);
	room[len] = '"';
	if (behind)
		room[len + 1] = behind;
}

static void quote(struct buffer *out, const char *text, size_t len)
{
	if (plain_bytes(text, len) == len) {
		quote_plain(out, text, len, 0);
		return;
	}
	buffer_append_char(out, '"');
	while (len) {
		size_t plain = plain_bytes(text, len);

		buffer_append(out, text, plain);
		text += plain;
		len -= plain;
		if (len) {
			size_t bytes = escape(out, text, len);

			text += bytes;
			len -= bytes;
		}
	}
	buffer_append_char(out, '"');
}

void json_key(struct json *json, const char *key)
{
	size_t len = strlen(key);

	separate(json);
	if (!json->pretty && plain_bytes(key, len) == len) {
		quote_plain(json->out, key, len, ':');
	} else {
		quote(json->out, key, len);
		buffer_append_text(json->out, json->pretty ? ": " : ":");
	}
	json->after_key = true;
}

void json_text(struct json *json, const char *text)
{
	if (text)
		json_text_len(json, text, strlen(text));
	else
		json_none(json);
}

void json_text_len(struct json *json, const char *text, size_t len)
{
	separate(json);
	quote(json->out, text, len);
}

#define DIGITS_MAX 20 /* of a 64-bit number */

/* printf takes longer for a number than all else that an answer costs. */
static void append_number(struct json *json, uint64_t number, bool negative)
{
	char text[DIGITS_MAX + 1], *begin = text + sizeof(text);

	do {
		*--begin = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	if (negative)
		*--begin = '-';
	separate(json);
	buffer_append(json->out, begin, (size_t)(text + sizeof(text) - begin));
}

void json_u64(struct json *json, uint64_t number)
{
	append_number(json, number, false);
}

void json_i64(struct json *json, int64_t number)
{
	append_number(json, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0);
}

void json_double(struct json *json, double number)
{
	char digits[32];

	if (!isfinite(number)) {
		json_none(json);
		return;
	}
	if (fabs(number) < 1e15 && number == trunc(number) && !(number == 0 && signbit(number))) {
		json_i64(json, (int64_t)number);
		return;
	}
	/* 15 digits always survive text → double → text, 17 always double → text → double. */
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	separate(json);
	buffer_append_text(json->out, digits);
}

void json_bool(struct json *json, bool value)
{
	separate(json);
	buffer_append_text(json->out, value ? "true" : "false");
}

void json_none(struct json *json)
{
	separate(json);
	buffer_append_text(json->out, "null");
}

void json_escape_controls(const char *document, size_t len, struct buffer *out)
{
	size_t from = 0, at = 0;

	while (at < len) {
		size_t bytes = utf8_sequence(document + at, len - at);
		bool is_control = bytes && (unsigned char)document[at] >= 0x7f &&
				  utf8_is_control(document + at, bytes);

		bytes = bytes ? bytes : 1;
		if (is_control) {
			buffer_append(out, document + from, at - from);
			escape(out, document + at, bytes);
			from = at + bytes;
		}
		at += bytes;
	}
	buffer_append(out, document + from, len - from);
}

void json_raw(struct json *json, const char *text, size_t len)
{
	separate(json);
	buffer_append(json->out, text, len);
}
