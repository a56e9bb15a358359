/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http_parser.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEAD_LIMIT    (32u << 10)
#define INTERIM_LIMIT 8

void http_parser_init(struct http_parser *parser, size_t limit, bool no_body)
{
	*parser = (struct http_parser){ .step = HTTP_STATUS, .no_body = no_body };
	buffer_init(&parser->body, limit > 0 ? limit : 1);
	buffer_init(&parser->line, HEAD_LIMIT);
}

void http_parser_clear(struct http_parser *parser)
{
	buffer_clear(&parser->body);
	buffer_clear(&parser->line);
}

void http_parser_expect(struct http_parser *parser, const char *header)
{
	parser->expected = header;
}

static unsigned digit_of(char c)
{
	if (isdigit((unsigned char)c))
		return (unsigned)(c - '0');
	return isxdigit((unsigned char)c) ? (unsigned)(tolower(c) - 'a') + 10 : UINT_MAX;
}

/* text consists of digits only, and their number is at most limit; else -EPROTO. */
static int parse_number(const char *text, size_t len, unsigned base, uint64_t limit, uint64_t *ret)
{
	uint64_t value = 0;
	if (len == 0)
		return -EPROTO;
	for (size_t i = 0; i < len; i++) {
		unsigned digit = digit_of(text[i]);
		if (digit >= base || value > (limit - digit) / base)
			return -EPROTO;
		value = value * base + digit;
	}
	*ret = value;
	return 0;
}

/* "HTTP/1.1 200 OK" */
static int take_status(struct http_parser *parser, const char *line, size_t len, struct error *err)
{
	uint64_t status = 0;
	if (len < 12 || memcmp(line, "HTTP/1.", 7) != 0 || !isdigit((unsigned char)line[7]) ||
	    line[8] != ' ' || (len > 12 && line[12] != ' ') ||
	    parse_number(line + 9, 3, 10, 999, &status) != 0 || status < 100)
		return error_set(err, -EPROTO, "the answer is not HTTP");
	parser->status = (int)status;
	parser->keep_alive = line[7] != '0';
	parser->step = HTTP_HEADER;
	return 0;
}

static int take_content_length(struct http_parser *parser, const char *value, struct error *err)
{
	uint64_t length = 0;
	if (parse_number(value, strlen(value), 10, INT64_MAX, &length) != 0 ||
	    (parser->has_length && parser->left != length))
		return error_set(err, -EPROTO, "the answer's Content-Length makes no sense");
	parser->has_length = true;
	parser->left = length;
	return 0;
}

static int take_transfer_encoding(struct http_parser *parser, const char *value, struct error *err)
{
	if (strcasecmp(value, "chunked") != 0)
		return error_set(err, -EPROTO,
				 "the answer has a Transfer-Encoding other than "
				 "chunked");
	parser->chunked = true;
	return 0;
}

static int take_connection(struct http_parser *parser, const char *value, struct error *err)
{
	if (strcasestr(value, "close"))
		parser->keep_alive = false;
	return 0;
}

static int take_retry_after(struct http_parser *parser, const char *value, struct error *err)
{
	uint64_t seconds = 0;
	if (parse_number(value, strlen(value), 10, UINT32_MAX, &seconds) == 0)
		parser->retry_after_s = (uint32_t)seconds;
	return 0;
}

static const struct {
	const char *name;
	int (*take)(struct http_parser *parser, const char *value, struct error *err);
} headers[] = {
	{ "Content-Length", take_content_length },
	{ "Transfer-Encoding", take_transfer_encoding },
	{ "Connection", take_connection },
	{ "Retry-After", take_retry_after },
};

/* Names of headers are the same in any case (RFC 9110, 5.1). */
static bool is_expected(const struct http_parser *parser, const char *name, const char *value)
{
	size_t len = strlen(name);

	return parser->expected && strncasecmp(parser->expected, name, len) == 0 &&
	       strncmp(parser->expected + len, ": ", 2) == 0 &&
	       strcmp(parser->expected + len + 2, value) == 0;
}

static int take_header(struct http_parser *parser, char *line, size_t len, struct error *err)
{
	char *colon = memchr(line, ':', len);
	if (!colon || colon == line || memchr(line, '\0', len))
		return error_set(err, -EPROTO, "the answer has a header line without a name");
	*colon = '\0';
	char *value = colon + 1 + strspn(colon + 1, " \t");
	size_t value_len = len - (size_t)(value - line);
	while (value_len > 0 && strchr(" \t", value[value_len - 1]))
		value[--value_len] = '\0';
	if (is_expected(parser, line, value))
		parser->has_expected = true;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (strcasecmp(line, headers[i].name) == 0)
			return headers[i].take(parser, value, err);
	return 0;
}

/* The head is complete: sets the step that reads the body. */
static int begin_body(struct http_parser *parser, struct error *err)
{
	if (parser->status < 200) {
		if (++parser->interims > INTERIM_LIMIT || parser->status == 101)
			return error_set(err, -EPROTO, "the answer does not come to its point");
		parser->has_length = parser->chunked = parser->has_expected = false;
		parser->step = HTTP_STATUS;
		return 0;
	}
	if (parser->expected && !parser->has_expected)
		return error_set(err, -EPROTO, "the answer lacks the header '%s'",
				 parser->expected);
	if (parser->chunked && parser->has_length) /* request smuggling (RFC 9112, 6.3) */
		return error_set(err, -EPROTO, "the answer has two lengths");
	if (parser->no_body || parser->status == 204 || parser->status == 304 ||
	    (parser->has_length && parser->left == 0)) {
		parser->step = HTTP_COMPLETE;
	} else if (parser->chunked) {
		parser->step = HTTP_CHUNK_SIZE;
	} else if (parser->has_length) {
		if (parser->left > parser->body.limit)
			return error_set(err, -EFBIG, "the answer is longer than %zu bytes",
					 parser->body.limit);
		parser->step = HTTP_BODY;
	} else {
		parser->keep_alive = false;
		parser->step = HTTP_UNTIL_CLOSE;
	}
	return 0;
}

static int take_chunk_size(struct http_parser *parser, const char *line, struct error *err)
{
	size_t digits = strcspn(line, "; \t"); /* extensions are ignored */
	if (parse_number(line, digits, 16, INT64_MAX, &parser->left) != 0)
		return error_set(err, -EPROTO, "the answer has a chunk without a size");
	if (parser->left > parser->body.limit - parser->body.len)
		return error_set(err, -EFBIG, "the answer is longer than %zu bytes",
				 parser->body.limit);
	parser->step = parser->left > 0 ? HTTP_CHUNK : HTTP_TRAILER;
	return 0;
}

/* Takes one complete line, without its end. */
static int take_line(struct http_parser *parser, char *line, size_t len, struct error *err)
{
	switch (parser->step) {
	case HTTP_STATUS:
		return take_status(parser, line, len, err);
	case HTTP_HEADER:
		return len > 0 ? take_header(parser, line, len, err) : begin_body(parser, err);
	case HTTP_CHUNK_SIZE:
		return take_chunk_size(parser, line, err);
	case HTTP_CHUNK_END:
		if (len > 0)
			return error_set(err, -EPROTO,
					 "the answer has a chunk longer than it says");
		parser->step = HTTP_CHUNK_SIZE;
		return 0;
	default: /* trailers are not used */
		if (len == 0)
			parser->step = HTTP_COMPLETE;
		return 0;
	}
}

static int feed_line(struct http_parser *parser, const char *bytes, size_t len, size_t *ret_used,
		     struct error *err)
{
	const char *end = memchr(bytes, '\n', len);
	size_t used = end ? (size_t)(end - bytes) + 1 : len;
	*ret_used = used;
	/* Lines of chunk sizes are not counted as head: the limit of the body bounds their number.
	 */
	if (parser->step != HTTP_CHUNK_SIZE && parser->step != HTTP_CHUNK_END)
		parser->head_len += used;
	if (parser->head_len > HEAD_LIMIT || parser->line.len + used > HEAD_LIMIT)
		return error_set(err, -EPROTO, "the answer's head is longer than %u bytes",
				 HEAD_LIMIT);
	buffer_append(&parser->line, bytes, used - (end ? 1 : 0));
	if (parser->line.failed)
		return error_set(err, -ENOMEM, "no memory");
	if (!end)
		return 0;
	size_t line_len = parser->line.len;
	char *line = parser->line.data;
	if (line_len > 0 && line[line_len - 1] == '\r')
		line[--line_len] = '\0';
	int rc = take_line(parser, line, line_len, err);
	buffer_reset(&parser->line);
	return rc;
}

static int feed_body(struct http_parser *parser, const char *bytes, size_t len, size_t *ret_used,
		     struct error *err)
{
	bool open = parser->step == HTTP_UNTIL_CLOSE;
	size_t used = !open && parser->left < len ? (size_t)parser->left : len;
	*ret_used = used;
	if (used > parser->body.limit - parser->body.len)
		return error_set(err, -EFBIG, "the answer is longer than %zu bytes",
				 parser->body.limit);
	buffer_append(&parser->body, bytes, used);
	if (parser->body.failed)
		return error_set(err, -ENOMEM, "no memory");
	if (!open) {
		parser->left -= used;
		if (parser->left == 0)
			parser->step = parser->step == HTTP_CHUNK ? HTTP_CHUNK_END : HTTP_COMPLETE;
	}
	return 0;
}

int http_parser_feed(struct http_parser *parser, const char *bytes, size_t len, size_t *ret_used,
		     struct error *err)
{
	size_t at = 0;
	while (at < len && parser->step != HTTP_COMPLETE) {
		bool in_body = parser->step == HTTP_BODY || parser->step == HTTP_CHUNK ||
			       parser->step == HTTP_UNTIL_CLOSE;
		size_t used = 0;
		int rc =
			(in_body ? feed_body : feed_line)(parser, bytes + at, len - at, &used, err);
		if (rc != 0)
			return rc;
		at += used;
	}
	*ret_used = at;
	return parser->step == HTTP_COMPLETE;
}

int http_parser_end(struct http_parser *parser, struct error *err)
{
	if (parser->step != HTTP_UNTIL_CLOSE)
		return error_set(err, -EPROTO, "the connection was closed during the answer");
	parser->step = HTTP_COMPLETE;
	return 1;
}
