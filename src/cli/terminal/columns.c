/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal/columns.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

struct span {
	uint32_t from, to;
};

static const struct span none[] = {
	{ 0x0300, 0x036f }, { 0x0483, 0x0489 },   { 0x0591, 0x05bd }, { 0x0610, 0x061a },
	{ 0x064b, 0x065f }, { 0x06d6, 0x06dc },   { 0x0900, 0x0902 }, { 0x093c, 0x093c },
	{ 0x0941, 0x0948 }, { 0x094d, 0x094d },   { 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a },
	{ 0x0e47, 0x0e4e }, { 0x1160, 0x11ff },   { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
	{ 0x200b, 0x200f }, { 0x2028, 0x202e },   { 0x2060, 0x206f }, { 0x20d0, 0x20ff },
	{ 0x302a, 0x302d }, { 0x3099, 0x309a },   { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
	{ 0xfeff, 0xfeff }, { 0xe0001, 0xe01ef },
};

static const struct span two[] = {
	{ 0x1100, 0x115f },   { 0x231a, 0x231b },   { 0x2329, 0x232a },   { 0x23e9, 0x23ec },
	{ 0x23f0, 0x23f0 },   { 0x23f3, 0x23f3 },   { 0x25fd, 0x25fe },   { 0x2614, 0x2615 },
	{ 0x2648, 0x2653 },   { 0x267f, 0x267f },   { 0x2693, 0x2693 },   { 0x26a1, 0x26a1 },
	{ 0x26aa, 0x26ab },   { 0x26bd, 0x26be },   { 0x26c4, 0x26c5 },   { 0x26ce, 0x26ce },
	{ 0x26d4, 0x26d4 },   { 0x26ea, 0x26ea },   { 0x26f2, 0x26f3 },   { 0x26f5, 0x26f5 },
	{ 0x26fa, 0x26fa },   { 0x26fd, 0x26fd },   { 0x2705, 0x2705 },   { 0x270a, 0x270b },
	{ 0x2728, 0x2728 },   { 0x274c, 0x274c },   { 0x274e, 0x274e },   { 0x2753, 0x2755 },
	{ 0x2757, 0x2757 },   { 0x2795, 0x2797 },   { 0x27b0, 0x27b0 },   { 0x27bf, 0x27bf },
	{ 0x2b1b, 0x2b1c },   { 0x2b50, 0x2b50 },   { 0x2b55, 0x2b55 },   { 0x2e80, 0x303e },
	{ 0x3041, 0x3247 },   { 0x3250, 0x4dbf },   { 0x4e00, 0xa4cf },   { 0xa960, 0xa97c },
	{ 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },   { 0xfe10, 0xfe19 },   { 0xfe30, 0xfe6b },
	{ 0xff01, 0xff60 },   { 0xffe0, 0xffe6 },   { 0x16fe0, 0x18cff }, { 0x1b000, 0x1b2fb },
	{ 0x1f004, 0x1f004 }, { 0x1f0cf, 0x1f0cf }, { 0x1f18e, 0x1f18e }, { 0x1f191, 0x1f19a },
	{ 0x1f200, 0x1f320 }, { 0x1f32d, 0x1f335 }, { 0x1f337, 0x1f37c }, { 0x1f37e, 0x1f393 },
	{ 0x1f3a0, 0x1f3ca }, { 0x1f3cf, 0x1f3d3 }, { 0x1f3e0, 0x1f3f0 }, { 0x1f3f4, 0x1f3f4 },
	{ 0x1f3f8, 0x1f43e }, { 0x1f440, 0x1f440 }, { 0x1f442, 0x1f4fc }, { 0x1f4ff, 0x1f53d },
	{ 0x1f54b, 0x1f54e }, { 0x1f550, 0x1f567 }, { 0x1f57a, 0x1f57a }, { 0x1f595, 0x1f596 },
	{ 0x1f5a4, 0x1f5a4 }, { 0x1f5fb, 0x1f64f }, { 0x1f680, 0x1f6c5 }, { 0x1f6cc, 0x1f6cc },
	{ 0x1f6d0, 0x1f6d2 }, { 0x1f6d5, 0x1f6df }, { 0x1f6eb, 0x1f6ef }, { 0x1f6f4, 0x1f6fc },
	{ 0x1f7e0, 0x1f7f0 }, { 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f945 }, { 0x1f947, 0x1f9ff },
	{ 0x1fa70, 0x1faff }, { 0x20000, 0x3fffd },
};

static bool is_in(uint32_t character, const struct span *spans, size_t count)
{
	for (size_t i = 0; i < count && spans[i].from <= character; i++)
		if (character <= spans[i].to)
			return true;
	return false;
}

/* The code point of a valid sequence. */
static uint32_t character_of(const char *text, size_t len)
{
	static const unsigned char masks[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t character = (unsigned char)text[0] & masks[len];

	for (size_t i = 1; i < len; i++)
		character = character << 6 | ((unsigned char)text[i] & 0x3f);
	return character;
}

/* Bytes of a sequence SGR at the start of text; 0: there is none. */
static size_t colour_len(const char *text)
{
	size_t len = 2;

	if (text[0] != '\033' || text[1] != '[')
		return 0;
	len += strspn(text + len, "0123456789;");
	return text[len] == 'm' ? len + 1 : 0;
}

/* Bytes of what is at the start of text, one character or one sequence, and its columns. */
static size_t next(const char *text, size_t *columns)
{
	size_t len = colour_len(text);
	uint32_t character;

	*columns = 0;
	if (len > 0)
		return len;
	len = utf8_sequence(text, strnlen(text, 4));
	*columns = 1;
	if (len < 2)
		return 1;
	character = character_of(text, len);
	if (is_in(character, none, sizeof(none) / sizeof(*none)))
		*columns = 0;
	else if (is_in(character, two, sizeof(two) / sizeof(*two)))
		*columns = 2;
	return len;
}

size_t columns_of(const char *text)
{
	size_t sum = 0, columns;

	while (*text) {
		text += next(text, &columns);
		sum += columns;
	}
	return sum;
}

size_t columns_prefix(const char *text, size_t limit)
{
	size_t at = 0, sum = 0, columns;

	while (text[at]) {
		size_t len = next(text + at, &columns);

		if (sum + columns > limit)
			break;
		sum += columns;
		at += len;
	}
	return at;
}

static void append_blanks(struct buffer *out, size_t taken, size_t columns)
{
	for (; taken < columns; taken++)
		buffer_append_char(out, ' ');
}

void columns_fit(struct buffer *out, const char *text, size_t columns)
{
	size_t wide = columns_of(text), len = columns > 0 ? columns_prefix(text, columns - 1) : 0;

	if (wide <= columns) {
		buffer_append_text(out, text);
		append_blanks(out, wide, columns);
		return;
	}
	buffer_append(out, text, len);
	if (columns == 0)
		return;
	buffer_append_text(out, "…");
	/* A wide character that is left out can leave one column. */
	for (size_t shown = 1; shown < columns; shown++)
		if (columns_prefix(text, shown) == len) {
			append_blanks(out, shown + 1, columns);
			return;
		}
}

void columns_right(struct buffer *out, const char *text, size_t columns)
{
	append_blanks(out, columns_of(text), columns);
	buffer_append_text(out, text);
}
