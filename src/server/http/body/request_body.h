/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "server/http/reply.h"
#include "server/http/request.h"

/* The body of a request, as it comes: kept in memory, or, of a route that takes a file, in one.
 * What is wrong becomes the reply. */

/* Whether the body of a request that was let in may come. */
bool request_body_begin(struct request *request, struct reply *reply);
/* Whether the client announces more than is ever read, of a request that was refused or let in:
 * then the reply is made, and no body is read. */
bool request_body_is_hopeless(const struct request *request, bool refused, struct reply *reply);
/* Keeps a piece; false: it is refused. */
bool request_body_take(struct request *request, const char *bytes, size_t len, struct reply *reply);
void request_body_clear(struct request *request);
