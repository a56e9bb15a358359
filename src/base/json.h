/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/*
 * Writes JSON into a buffer, commas and escapes included. Invalid UTF-8 becomes U+FFFD, so that
 * whatever a process called itself, the output is valid. Depth ≤ 31 (more fails the buffer).
 * Reading JSON is jansson's.
 */
struct json {
	struct buffer *out;
	unsigned depth;
	uint32_t has_item; /* a bit a level */
	bool after_key;
	bool pretty; /* two spaces a level, for people */
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
/* As few digits as read back the same (15 to 17 tried); NaN and infinities are null. */
void json_double(struct json *json, double number);
void json_bool(struct json *json, bool value);
/* null. (jansson has the name json_null.) */
void json_none(struct json *json);
/* Text that is JSON already. */
void json_raw(struct json *json, const char *text, size_t len);
