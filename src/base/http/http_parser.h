/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * Reads one HTTP/1.x response (RFC 9112) from bytes as they come, in whatever pieces. Pure. Bounds:
 * 32 KiB of head, 8 interim (1xx) responses, the body's limit. Hostile input ends in an error.
 */
enum http_parser_step {
	HTTP_STATUS,
	HTTP_HEADER,
	HTTP_BODY,       /* of a known length */
	HTTP_CHUNK_SIZE, /* chunked */
	HTTP_CHUNK,
	HTTP_CHUNK_END,
	HTTP_TRAILER,
	HTTP_UNTIL_CLOSE, /* neither: the body ends with the connection */
	HTTP_COMPLETE
};

struct http_parser {
	enum http_parser_step step;
	int status;
	bool keep_alive; /* the connection may serve another request */
	uint32_t retry_after_s;
	struct buffer body;
	/* inside */
	struct buffer line;
	uint64_t left; /* of the body or chunk */
	size_t head_len;
	unsigned interims;
	bool no_body, chunked, has_length;
};

/* limit: bytes of body. no_body: the request was HEAD. */
void http_parser_init(struct http_parser *parser, size_t limit, bool no_body);
void http_parser_clear(struct http_parser *parser);
/* Takes bytes. 0: wants more; 1: complete, *ret_used bytes belonged to it; -EPROTO: no HTTP;
 * -EFBIG: body over the limit; -ENOMEM. */
int http_parser_feed(struct http_parser *parser, const char *bytes, size_t len, size_t *ret_used,
		     struct error *err);
/* The connection was closed: 1 when that is how the body ends, else -EPROTO. */
int http_parser_end(struct http_parser *parser, struct error *err);
