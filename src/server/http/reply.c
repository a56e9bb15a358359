/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/reply.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/id.h"
#include "base/json.h"
#include "base/log.h"
#include "base/memory/budget.h"

static const struct {
	unsigned status;
	const char *title;
} TITLES[] = {
	{ 400, "Bad Request" },
	{ 401, "Unauthorized" },
	{ 403, "Forbidden" },
	{ 404, "Not Found" },
	{ 405, "Method Not Allowed" },
	{ 409, "Conflict" },
	{ 413, "Content Too Large" },
	{ 414, "URI Too Long" },
	{ 415, "Unsupported Media Type" },
	{ 429, "Too Many Requests" },
	{ 500, "Internal Server Error" },
	{ 503, "Service Unavailable" },
	{ 504, "Gateway Timeout" },
	{ 507, "Insufficient Storage" },
};

/* The page runs only its own files (no inline script, nothing from elsewhere), and no site
 * may frame it. style-src: uPlot and Preact set styles through the DOM, which this allows. */
static const char *const HEADERS[][2] = {
	{ "Content-Security-Policy",
	  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
	  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
	  "frame-ancestors 'none'" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "X-Frame-Options", "DENY" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
};

void reply_init(struct reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	reply->status = MHD_HTTP_OK;
	reply->type = TYPE_JSON;
	buffer_init(&reply->body, REPLY_LIMIT);
	buffer_init(&reply->candidates, 0);
}

void reply_charge(struct reply *reply, struct memory_budget *budget)
{
	buffer_charge(&reply->body, budget);
}

void reply_clear(struct reply *reply)
{
	buffer_clear(&reply->body);
	buffer_clear(&reply->candidates);
	if (reply->stream)
		MHD_destroy_response(reply->stream);
	reply->stream = NULL;
}

static const char *title_of(unsigned status)
{
	for (size_t i = 0; i < sizeof(TITLES) / sizeof(TITLES[0]); i++)
		if (TITLES[i].status == status)
			return TITLES[i].title;
	return "Error";
}

static void write_problem(struct reply *reply, unsigned status, const char *detail)
{
	struct json json;

	reply->status = status;
	reply->type = TYPE_PROBLEM;
	reply->tagged = false;
	reply->fixed = NULL;
	buffer_clear(&reply->body);
	buffer_init(&reply->body, (64 << 10) + reply->candidates.len); /* not charged */
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "type");
	json_text(&json, "about:blank");
	json_key(&json, "title");
	json_text(&json, title_of(status));
	json_key(&json, "status");
	json_u64(&json, status);
	json_key(&json, "detail");
	json_text(&json, detail);
	if (reply->candidates.len > 0 && !reply->candidates.failed) {
		json_key(&json, "candidates");
		json_raw(&json, reply->candidates.data, reply->candidates.len);
	}
	json_object_end(&json);
}

int reply_problem(struct reply *reply, unsigned status, const char *format, ...)
{
	char detail[sizeof(reply->error.text)];
	va_list args;

	va_start(args, format);
	vsnprintf(detail, sizeof(detail), format, args);
	va_end(args);
	write_problem(reply, status, detail);
	return 0;
}

static unsigned status_of(int rc)
{
	switch (rc) {
	case -EINVAL:
	case -EPROTO:
		return MHD_HTTP_BAD_REQUEST;
	case -ENOENT:
		return MHD_HTTP_NOT_FOUND;
	case -ENOTUNIQ:
		return MHD_HTTP_CONFLICT;
	case -EMSGSIZE:
		return MHD_HTTP_CONTENT_TOO_LARGE;
	case -EBUSY:
	case -EAGAIN:
	case -ECANCELED:
		return MHD_HTTP_SERVICE_UNAVAILABLE;
	case -ETIMEDOUT:
		return MHD_HTTP_GATEWAY_TIMEOUT;
	default:
		return MHD_HTTP_INTERNAL_SERVER_ERROR;
	}
}

void reply_failed(struct reply *reply, int rc, const char *what)
{
	struct error words = reply->error;
	unsigned status = status_of(rc);

	if (status == MHD_HTTP_INTERNAL_SERVER_ERROR) {
		log_error("%s failed: %s", what, error_text(&words));
		write_problem(reply, status, "the server failed; its log says why");
		return;
	}
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE && !reply->retry_after_s)
		reply->retry_after_s = 5;
	if (status == MHD_HTTP_GATEWAY_TIMEOUT)
		log_warning("%s: %s", what, error_text(&words));
	write_problem(reply, status, error_text(&words));
}

static void add(struct MHD_Response *response, const char *name, const char *value)
{
	if (value && *value)
		MHD_add_response_header(response, name, value);
}

static void add_headers(struct MHD_Response *response, const struct reply *reply, const char *etag)
{
	char seconds[16] = "";

	for (size_t i = 0; i < sizeof(HEADERS) / sizeof(HEADERS[0]); i++)
		add(response, HEADERS[i][0], HEADERS[i][1]);
	if (reply->retry_after_s)
		snprintf(seconds, sizeof(seconds), "%u", reply->retry_after_s);
	add(response, "Retry-After", seconds);
	add(response, "Content-Type", reply->type);
	add(response, "Connection", reply->closes ? "close" : NULL);
	add(response, "Allow", reply->allow);
	add(response, "Location", reply->location);
	add(response, "Set-Cookie", reply->cookie);
	add(response, "ETag", etag);
	add(response, "Vary", reply->tagged ? "Accept" : NULL);
	add(response, "Cache-Control",
	    reply->immutable ? "public, max-age=31536000, immutable"
	    : *etag          ? "private, no-cache"
			     : "no-store");
	if (reply->status == MHD_HTTP_UNAUTHORIZED)
		add(response, "WWW-Authenticate", "Bearer realm=\"tracer\"");
}

/* The entity tag: of a fixed body what the build gave it, else of the bytes. "" without one. */
static void write_etag(const struct reply *reply, char etag[ID_SIZE + 2])
{
	*etag = '\0';
	if (reply->fixed)
		snprintf(etag, ID_SIZE + 2, "\"%.36s\"", reply->fixed_etag);
	else if (reply->tagged && !reply->body.failed)
		snprintf(etag, ID_SIZE + 2, "\"%s\"",
			 id_of(reply->body.data, reply->body.len).text);
}

/* If-None-Match is a list of tags, or "*"; a weak one (W/) matches as well (RFC 9110, 13.1.2). */
static bool matches(const char *if_none_match, const char *etag)
{
	return if_none_match && *etag &&
	       (strcmp(if_none_match, "*") == 0 || strstr(if_none_match, etag));
}

/* A body that is being sent, and what it holds of a budget. */
struct charged_body {
	struct memory_budget *budget;
	size_t charged;
	char *bytes;
};

static void free_body(void *context)
{
	struct charged_body *body = context;

	if (body->charged)
		memory_budget_give(body->budget, body->charged);
	free(body->bytes);
	free(body);
}

/* Of the reply's body, which is empty then. NULL: no memory. */
static struct MHD_Response *make_body(struct reply *reply)
{
	struct charged_body *body = calloc(1, sizeof(*body));
	size_t len = reply->body.len;
	struct MHD_Response *response;

	if (!body)
		return NULL;
	body->budget = reply->body.budget;
	body->bytes = buffer_take_charged(&reply->body, &body->charged);
	response = body->bytes ? MHD_create_response_from_buffer_with_free_callback_cls(
					 len, body->bytes, free_body, body)
			       : NULL;
	if (!response)
		free_body(body);
	return response;
}

static struct MHD_Response *make_response(struct reply *reply)
{
	struct MHD_Response *response;

	if (reply->stream) {
		response = reply->stream;
		reply->stream = NULL;
		return response;
	}
	if (reply->fixed || !reply->body.len)
		return MHD_create_response_from_buffer(reply->fixed_len, (void *)reply->fixed,
						       MHD_RESPMEM_PERSISTENT);
	return make_body(reply);
}

int reply_send(struct reply *reply, struct MHD_Connection *connection, const char *if_none_match)
{
	struct MHD_Response *response;
	char etag[ID_SIZE + 2];
	int result;

	if (reply->body.over_budget) {
		reply->retry_after_s = 5;
		write_problem(reply, MHD_HTTP_SERVICE_UNAVAILABLE,
			      "the lake holds as many answers as it may (tracer-lake "
			      "--answers-memory); ask again later, or for fewer rows");
	}
	if (reply->body.failed) {
		log_error("an answer was larger than %u bytes, or memory ran out", REPLY_LIMIT);
		write_problem(reply, MHD_HTTP_INTERNAL_SERVER_ERROR,
			      "the answer is too large: ask for fewer rows by limit");
	}
	write_etag(reply, etag);
	if (reply->status == MHD_HTTP_OK && matches(if_none_match, etag)) {
		reply->status = MHD_HTTP_NOT_MODIFIED;
		reply->fixed = NULL;
		reply->fixed_len = 0;
		buffer_reset(&reply->body);
	}
	response = make_response(reply);
	if (!response)
		return MHD_NO;
	add_headers(response, reply, etag);
	result = MHD_queue_response(connection, reply->status, response);
	MHD_destroy_response(response);
	return result;
}
