/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/error.h"

/*
 * A request over HTTPS, by libcurl: certificates are always checked, redirections are not followed,
 * the answer has at most FETCH_BYTES. http: only to this host and to the metadata service of a
 * provider.
 */
#define FETCH_BYTES   (16u << 20)
#define FETCH_HEADERS 8

struct fetch;

struct fetch_request {
	const char *url;
	const char *method;                 /* "GET", "POST", "PUT" */
	const char *body;                   /* NULL: none */
	const char *headers[FETCH_HEADERS]; /* "Name: value"; NULL: none */
	/* AWS: signed for "REGION:SERVICE" with a key; scope NULL: it is not signed. */
	const char *scope, *key_id, *secret;
	bool metadata; /* of the metadata service: no proxy, at most 5 s */
};

struct fetch_answer {
	long status;
	uint64_t retry_after_s; /* by its header; 0: none */
	struct buffer body;
};

/* NULL: no memory. */
struct fetch *fetch_new(uint64_t timeout_ns);
void fetch_free(struct fetch *fetch);
DEFINE_CLEANUP(struct fetch *, fetch_free)

/* Any status is an answer, which the caller clears by fetch_answer_clear, also after an error.
 * -EINVAL: the URL is not allowed; -ETIMEDOUT; -ECONNRESET: the connection failed or the answer
 * ended before its end; -EKEYREJECTED: the certificate is not accepted; -EMSGSIZE: it is longer;
 * -ENOMEM; with words, which have the URL's host and no secret. */
int fetch_answer(struct fetch *fetch, const struct fetch_request *request, struct fetch_answer *ret,
		 struct error *err);
void fetch_answer_clear(struct fetch_answer *answer);

/* Appends a text as of application/x-www-form-urlencoded (RFC 3986, 2.3). */
void fetch_escape(struct buffer *out, const char *text);
