/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "base/buffer.h"
#include "inventory/aws/aws_credentials.h"
#include "inventory/listing.h"

/* Requests to services of AWS with the credentials of an account, or of the role that it assumes.
 * What is throttled is asked again (retry.h); credentials that have expired are read again once. */
struct aws_session {
	struct listing *listing;
	struct aws_credentials credentials;
	bool renewed;
	char home[64]; /* the region that is asked for what belongs to none */
};

/* Reads the credentials, assumes the role and asks for the account's number. */
int aws_session_open(struct aws_session *session, struct listing *listing, struct error *err);
void aws_session_clear(struct aws_session *session);

/* Where a service is asked: of the query API (EC2, STS), a form as body, which gives XML; or of a
 * JSON API. */
struct aws_call {
	const char *service, *region;
	const char *action;  /* "DescribeInstances": for messages, and as "Action" of a form */
	const char *version; /* of the query API; NULL: a JSON API */
	const char *target;  /* of a JSON API: header X-Amz-Target; NULL: none */
	const char *path;    /* "/" */
	const char *body;    /* of a form: further fields, "&Name=value…" */
};

/* *ret: the answer, which the caller json_decref()s. Errors as of inventory_list. */
int aws_ask(struct aws_session *session, const struct aws_call *call, json_t **ret,
	    struct error *err);
/* The same for all pages of an answer of the query API ("NextToken"): take is called with each. */
int aws_ask_pages(struct aws_session *session, const struct aws_call *call,
		  int (*take)(void *context, const json_t *page, struct error *err), void *context,
		  struct error *err);
#define AWS_PAGES 2000
