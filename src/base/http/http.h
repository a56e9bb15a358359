/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct event_base;

/*
 * An HTTP/1.1 client on libevent (http and https with OpenSSL, names through libevent's resolver: a
 * static glibc has no NSS). One client serves one origin and has at most one request under way.
 */
struct http_client;

struct http_options {
	const char *url;       /* "https://host:port/base" or "http+unix:///path/to/socket" */
	const char *token;     /* sent as Authorization: Bearer; NULL or "": none. Never logged. */
	const char *ca_file;   /* NULL: the system's */
	const char *encoding;  /* Content-Encoding of every body sent; NULL: none */
	uint64_t timeout_ns;   /* of one request, connection included */
	size_t response_limit; /* bytes of body; more is -EFBIG */
};

struct http_response {
	int status;       /* HTTP status; 0: no response, see error */
	int error;        /* 0 or -errno: -ECONNREFUSED -ETIMEDOUT -EHOSTUNREACH -ECONNRESET -EPROTO
			     (TLS, garbage) -EFBIG */
	const char *body; /* NUL-terminated; valid during the call */
	size_t body_len;
	uint32_t retry_after_s; /* 0: not said (a date instead of seconds is not read) */
	struct error words;     /* where error is set */
};

typedef void http_done(const struct http_response *response, void *context);

/* -EINVAL with words for a URL it cannot use (one with user:password in it, too). base is not
 * owned and must outlive the client. From now on the process ignores SIGPIPE. */
int http_client_new(struct http_client **ret, struct event_base *base,
		    const struct http_options *options, struct error *err);
/* A request under way is dropped, its done not called. A name look-up under way gives its memory
 * back when the loop runs next. NULL is fine. */
void http_client_free(struct http_client *client);

/* Starts a request; done is called once, later, from the loop, and may send again or free the
 * client. path begins with '/' and is appended to the URL's. body is copied. -EBUSY when one is
 * under way, -EINVAL for a path with spaces or control characters. type NULL: no body. A connection
 * that the server kept open is used again; where it turns out closed before a byte of the answer,
 * the request is sent once more on a new one. */
int http_client_send(struct http_client *client, const char *method, const char *path,
		     const char *type, const void *body, size_t len, http_done *done,
		     void *context);

/* One request on a loop of its own, waiting for the answer; *ret_body is free()d by the caller,
 * NUL-terminated. Returns 0 when there was an HTTP response of any status. */
int http_fetch(const struct http_options *options, const char *method, const char *path,
	       const char *type, const void *body, size_t len, int *ret_status, char **ret_body,
	       size_t *ret_len, struct error *err);
