/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* How far a word of a text reaches. All take text[0, len) and a place `at` <= len in it. */

/* What is looked at, and how it is to be read. */
struct redact_text {
	const char *bytes;
	size_t len;
	bool whole;   /* one argument that no shell parts into words */
	bool is_code; /* of Python, Perl, R …: text without quotes is no literal */
	char quote;   /* the quote that is open where it is looked; 0: none */
};

/* text[value, end) is to be masked. */
struct redact_place {
	size_t value, end;
};

/* These are asked of every byte. */
static inline bool redact_is_name_byte(char byte)
{
	return text_is_alnum(byte) || byte == '_' || byte == '-' || byte == '.';
}
static inline bool redact_is_quote(char byte)
{
	return byte == '"' || byte == '\'' || byte == '`';
}
/* "--user", "-u": not a value, even behind an option that takes one. */
bool redact_is_option(const char *arg, size_t len);

size_t redact_skip_spaces(const char *text, size_t len, size_t at);
/* Behind a quote, which may be escaped (JSON within a quoted script), or `at`: there is none. */
size_t redact_skip_quote(const char *text, size_t len, size_t at);
/* Up to the quote that closes the one before `at`, or the text's end. */
size_t redact_quoted_end(const char *text, size_t len, size_t at);
/* Up to a blank or what ends a value in JSON, URLs, lists. */
size_t redact_word_end(const char *text, size_t len, size_t at);
/* In a word of a shell: a password may hold commas and brackets. */
size_t redact_shell_word_end(const char *text, size_t len, size_t at);
/* In the value of a header: up to a line's end, or a quote. */
size_t redact_line_end(const char *text, size_t len, size_t at);
