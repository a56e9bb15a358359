/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

struct MHD_Connection;
struct MHD_Response;

/*
 * An answer in the making. A handler fills it and returns 0, or sets `error` and returns a negative
 * errno, which becomes a problem document (RFC 9457): -EINVAL and -EPROTO 400, -ENOENT 404,
 * -ENOTUNIQ 409, -EMSGSIZE 413, -EBUSY, -EAGAIN and -ECANCELED 503, -ETIMEDOUT 504, all else 500
 * (its message goes to the log, not to the client).
 */
#define REPLY_LIMIT (64u << 20)

#define TYPE_JSON    "application/json; charset=utf-8"
#define TYPE_PROBLEM "application/problem+json; charset=utf-8"
#define TYPE_HTML    "text/html; charset=utf-8"

struct reply {
	unsigned status;  /* 200 at first */
	const char *type; /* of the body; static */
	struct buffer body;
	struct error error;
	struct buffer candidates; /* of 409: a JSON array, the problem's member of that name */

	/* Instead of the body: bytes that live as long as the program, with their entity tag. */
	const void *fixed;
	size_t fixed_len;
	const char *fixed_etag;
	bool immutable; /* may be kept for a year */

	struct MHD_Response *stream; /* instead of the body: owned until sent */

	bool tagged; /* a GET with rows: an entity tag of its body, and a format by Accept */
	bool closes; /* the connection, after this answer */
	unsigned retry_after_s;
	const char *allow;    /* of 405 */
	const char *location; /* of 303 */
	char cookie[192];
};

void reply_init(struct reply *reply);
/* The body's memory is counted until it is sent; beyond the budget the answer is 503. */
void reply_charge(struct reply *reply, struct memory_budget *budget);
void reply_clear(struct reply *reply);

/* Makes it a problem with this status; the words are for the client. Returns 0, for handlers. */
int reply_problem(struct reply *reply, unsigned status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for what a handler returned (< 0). */
void reply_failed(struct reply *reply, int rc, const char *what);

/* Sends it with the headers of every answer. if_none_match: the request's, or NULL. Returns what
 * MHD_queue_response returns. */
int reply_send(struct reply *reply, struct MHD_Connection *connection, const char *if_none_match);
