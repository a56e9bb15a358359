/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct event_base;
struct http_file;

/*
 * An HTTP/1.1 client on libevent: http, https (OpenSSL) and UNIX sockets. Names are looked up with
 * libevent's resolver, because a static glibc has no NSS. A client has one server and at most one
 * request in progress. Why not libevent's own client: docs/design/dependencies.md.
 */
struct http_client;

struct http_options {
	const char *url;     /* "https://host:port/base" or "http+unix:///path/to/socket" */
	const char *token;   /* sent as Authorization: Bearer; NULL or "": none. Not logged. */
	const char *ca_file; /* PEM; NULL or "": the system's authorities */
	/* PEM: the client's own certificate and its key; NULL or "": none. */
	const char *certificate_file, *key_file;
	const char *encoding; /* Content-Encoding of every body sent; NULL: none */
	const char *header;   /* "Name: value", sent with every request; NULL: none. Not logged. */
	const char *answer_header; /* "Name: value" of every answer, else -EPROTO; NULL: any */
	/* The body of every request, in place of the bytes that it is given (http_file.h). It must
	 * outlive the client. NULL: none. */
	const struct http_file *file;
	uint64_t timeout_ns;   /* of one request, with connecting; 0: 30 s */
	size_t response_limit; /* bytes of body; a longer one is -EFBIG */
};

struct http_response {
	int status;       /* HTTP status; 0: no response, see error */
	int error;        /* 0 or -errno: -ECONNREFUSED -ETIMEDOUT -EHOSTUNREACH -ECONNRESET -EPROTO
			     (TLS, garbage) -EFBIG */
	const char *body; /* NUL-terminated; valid during the call */
	size_t body_len;
	uint32_t retry_after_s; /* of Retry-After; 0: none (or a date, which is not read) */
	struct error words;     /* the message, if error is not 0 */
};

typedef void http_done(const struct http_response *response, void *context);

/* Makes a client; does not connect. -EINVAL with a message for a URL that cannot be used, or that
 * has user:password in it. base is not owned and must outlive the client. From now on the process
 * ignores SIGPIPE. */
int http_client_new(struct http_client **ret, struct event_base *base,
		    const struct http_options *options, struct error *err);
/* Drops the request in progress without calling done. The memory of a name look-up in progress is
 * freed when the loop runs next. NULL does nothing. */
void http_client_free(struct http_client *client);

/* Starts a request. done is called once, later, from the loop; it may send the next request or free
 * the client. path begins with '/' and is appended to that of the URL. type: of the body, which is
 * copied; NULL: there is no body. -EBUSY: a request is in progress; -EINVAL: path has spaces or
 * control characters. A connection that the server kept open is used again; if it proves closed
 * before the first byte of the response, the request is sent once more on a new connection. */
int http_client_send(struct http_client *client, const char *method, const char *path,
		     const char *type, const void *body, size_t len, http_done *done,
		     void *context);

/* Makes one request on a loop of its own and waits for the response. 0: there is a response, of any
 * status; *ret_body is NUL-terminated, and the caller free()s it. */
int http_fetch(const struct http_options *options, const char *method, const char *path,
	       const char *type, const void *body, size_t len, int *ret_status, char **ret_body,
	       size_t *ret_len, struct error *err);
