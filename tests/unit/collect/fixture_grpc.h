/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/buffer.h"

/* HTTP/2 frames (RFC 9113) as a server sends them, and protobuf fields: as right or as wrong as a
 * test wants them. */
enum frame_type {
	DATA,
	HEADERS,
	PRIORITY,
	RESET,
	SETTINGS,
	PUSH,
	PING,
	GOAWAY,
	WINDOW,
	CONTINUATION
};
enum frame_flag { END_STREAM = 1, END_HEADERS = 4 };

void frame(struct buffer *ret, uint8_t type, uint8_t flags, uint32_t stream, const void *bytes,
	   size_t len);
/* ":status", by its index in HPACK's table (RFC 7541): 8 is 200, 13 is 404. */
#define STATUS_200 "\x88"
#define STATUS_404 "\x8d"
/* A header field with its name and value as they are. */
void header_field(struct buffer *ret, const char *name, const char *value);
/* HEADERS with such a grpc-status, before it the status (NULL: trailers). */
void headers(struct buffer *ret, uint8_t flags, const char *status, const char *grpc_status);
/* DATA with a message: its prefix says compressed and length. */
void message(struct buffer *ret, uint8_t compressed, uint32_t length, const void *bytes,
	     size_t len);
/* A whole answer. */
void answer(struct buffer *ret, const void *bytes, size_t len);
/* A field of kind "length, bytes". */
void field(struct buffer *ret, unsigned tag, const void *bytes, size_t len);
void text_field(struct buffer *ret, unsigned tag, const char *text);
