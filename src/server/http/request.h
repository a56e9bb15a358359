/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "server/access/reader.h"
#include "server/access/token_use.h"
#include "server/access/tokens.h"
#include "server/http/filter.h"
#include "server/http/scope.h"

struct MHD_Connection;
struct route;
struct server;
struct upload;

/* A request that was let in: routed, allowed, its filters read. */
#define REQUEST_PARAM_MAX 200 /* of the part of a path that a pattern leaves open */

struct request {
	struct server *server;
	struct MHD_Connection *connection;
	const struct route *route;
	enum scope held;                   /* of the bearer token or the session */
	struct token_grant grant;          /* of the bearer token; its id is "" without one */
	int no_token;                      /* why the token that was sent is not accepted */
	bool entered;                      /* the token's use of this request is counted */
	struct reader reader;              /* which runs it may read */
	const char *path;                  /* as sent, without the query */
	struct buffer body;                /* complete; only of routes that take one */
	struct upload *upload;             /* instead, of routes that take a file */
	char param[REQUEST_PARAM_MAX + 1]; /* what stands for {…} in the pattern */
	struct filter_value values[FILTERS_MAX];
	/* What a handler keeps that suspended the connection and returned -EINPROGRESS: it is
	 * called again once the connection is resumed. NULL at first. */
	void *work;
	void (*work_free)(void *work);
};

/* Where the request comes from: an address without a port, or "local". */
void request_from(const struct request *request, char from[TOKEN_FROM_SIZE]);
/* "token NAME (ID)", "browser": who asks, for the audit log. */
#define REQUEST_WHO_SIZE 128
void request_who(const struct request *request, char who[REQUEST_WHO_SIZE]);
/* Notes in the audit log (server/access/audit.h) what the request did, or why it was refused. */
void request_audit(const struct request *request, const char *action, const char *subject,
		   const char *result);

/* The value of a filter of the request's route; NULL: not given. The name must be in the table. */
const struct filter_value *request_value(const struct request *request, const char *name);
const char *request_text(const struct request *request, const char *name); /* NULL: not given */
int64_t request_number(const struct request *request, const char *name);   /* 0: not given */
