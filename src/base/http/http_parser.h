/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * Parses one HTTP/1.x response (RFC 9112) from pieces of any size. Does no I/O. Bounds: 32 KiB of
 * head, 8 interim (1xx) responses, the limit of the body. Hostile input ends in an error.
 */
enum http_parser_step {
	HTTP_STATUS,
	HTTP_HEADER,
	HTTP_BODY,       /* of a known length */
	HTTP_CHUNK_SIZE, /* chunked */
	HTTP_CHUNK,
	HTTP_CHUNK_END,
	HTTP_TRAILER,
	HTTP_UNTIL_CLOSE, /* neither length nor chunks: the body ends with the connection */
	HTTP_COMPLETE
};

struct http_parser {
	enum http_parser_step step;
	int status;
	bool keep_alive; /* the connection may serve another request */
	uint32_t retry_after_s;
	struct buffer body;
	/* private */
	struct buffer line;
	uint64_t left; /* bytes of the body or chunk that are still to come */
	size_t head_len;
	unsigned interims;
	bool no_body, chunked, has_length, has_expected;
	const char *expected;
};

/* limit: of the body, in bytes. no_body: the request was HEAD. */
void http_parser_init(struct http_parser *parser, size_t limit, bool no_body);
void http_parser_clear(struct http_parser *parser);
/* The response must have this header, "Name: value" (not copied; NULL: any will do), else -EPROTO.
 * After http_parser_init. */
void http_parser_expect(struct http_parser *parser, const char *header);
/* Parses the next bytes. 0: more are needed; 1: the response is complete, *ret_used of the bytes
 * belong to it; -EPROTO: not HTTP; -EFBIG: the body is over the limit; -ENOMEM. */
int http_parser_feed(struct http_parser *parser, const char *bytes, size_t len, size_t *ret_used,
		     struct error *err);
/* The connection was closed. 1: that completes the response; -EPROTO: the response is cut off. */
int http_parser_end(struct http_parser *parser, struct error *err);
