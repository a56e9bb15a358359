/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/*
 * Writes JSON into a buffer, with commas and escapes. Invalid UTF-8 (as in the name of a process)
 * becomes U+FFFD, so that the output is always valid; what a terminal may obey (utf8_is_control) is
 * escaped. Depth ≤ 31; more sets the buffer's `failed`.
 * JSON is read with jansson.
 */
struct json {
	struct buffer *out;
	unsigned depth;
	uint32_t has_item; /* one bit for each level */
	bool after_key;
	bool pretty; /* lines, indented by two spaces a level */
};

void json_init(struct json *json, struct buffer *out, bool pretty);
void json_object_begin(struct json *json);
void json_object_end(struct json *json);
void json_array_begin(struct json *json);
void json_array_end(struct json *json);
void json_key(struct json *json, const char *key);
void json_text(struct json *json, const char *text); /* NULL: null */
void json_text_len(struct json *json, const char *text, size_t len);
void json_u64(struct json *json, uint64_t number);
void json_i64(struct json *json, int64_t number);
/* With the fewest digits (15 to 17) that read back as the same number; NaN and infinities as null.
 */
void json_double(struct json *json, double number);
void json_bool(struct json *json, bool value);
/* Writes null. (The name json_null is jansson's.) */
void json_none(struct json *json);
/* Appends a document of another writer with the characters of utf8_is_control() that it left within
 * texts as escapes (\u202e). Valid UTF-8. */
void json_escape_controls(const char *document, size_t len, struct buffer *out);
/* Writes text that is JSON already. */
void json_raw(struct json *json, const char *text, size_t len);
