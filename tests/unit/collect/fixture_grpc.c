/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_grpc.h"

#include <string.h>

void frame(struct buffer *ret, uint8_t type, uint8_t flags, uint32_t stream, const void *bytes,
	   size_t len)
{
	const unsigned char head[9] = { (unsigned char)(len >> 16),
					(unsigned char)(len >> 8),
					(unsigned char)len,
					type,
					flags,
					(unsigned char)(stream >> 24),
					(unsigned char)(stream >> 16),
					(unsigned char)(stream >> 8),
					(unsigned char)stream };

	buffer_append(ret, head, sizeof(head));
	buffer_append(ret, bytes, len);
}

void header_field(struct buffer *ret, const char *name, const char *value)
{
	buffer_append_char(ret, 0);
	buffer_append_char(ret, (char)strlen(name));
	buffer_append_text(ret, name);
	buffer_append_char(ret, (char)strlen(value));
	buffer_append_text(ret, value);
}

void headers(struct buffer *ret, uint8_t flags, const char *status, const char *grpc_status)
{
	struct buffer block;

	buffer_init(&block, 0);
	buffer_append_text(&block, status ? status : "");
	if (status)
		header_field(&block, "content-type", "application/grpc");
	if (grpc_status)
		header_field(&block, "grpc-status", grpc_status);
	frame(ret, HEADERS, flags | END_HEADERS, 1, block.data, block.len);
	buffer_clear(&block);
}

void message(struct buffer *ret, uint8_t compressed, uint32_t length, const void *bytes, size_t len)
{
	const unsigned char prefix[5] = { compressed, (unsigned char)(length >> 24),
					  (unsigned char)(length >> 16),
					  (unsigned char)(length >> 8), (unsigned char)length };
	struct buffer block;

	buffer_init(&block, 0);
	buffer_append(&block, prefix, sizeof(prefix));
	buffer_append(&block, bytes, len);
	for (size_t at = 0; at < block.len; at += 16384)
		frame(ret, DATA, 0, 1, block.data + at,
		      block.len - at < 16384 ? block.len - at : 16384);
	buffer_clear(&block);
}

void answer(struct buffer *ret, const void *bytes, size_t len)
{
	frame(ret, SETTINGS, 0, 0, NULL, 0);
	headers(ret, 0, STATUS_200, NULL);
	message(ret, 0, (uint32_t)len, bytes, len);
	headers(ret, END_STREAM, NULL, "0");
}

void field(struct buffer *ret, unsigned tag, const void *bytes, size_t len)
{
	size_t rest = len;

	buffer_append_char(ret, (char)(tag << 3 | 2));
	for (; rest >= 128; rest >>= 7)
		buffer_append_char(ret, (char)(rest | 128));
	buffer_append_char(ret, (char)rest);
	buffer_append(ret, bytes, len);
}

void text_field(struct buffer *ret, unsigned tag, const char *text)
{
	field(ret, tag, text, strlen(text));
}
