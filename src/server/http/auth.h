/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "server/http/reply.h"
#include "server/http/request.h"

/* Routing and authentication of a request. Both functions return false with the problem in the
 * reply. */

/* Finds the route of the request and the open segment of its path. */
bool auth_route(struct request *request, const char *method, struct reply *reply);
/* Checks the bearer token, or for GET the session's cookie (never for POST: a page elsewhere could
 * send one along), against the route's scope; sets request->held, ->grant and ->reader. */
bool auth_allow(struct request *request, struct reply *reply);
/* Ends what auth_allow began, when the request is over. */
void auth_end(struct request *request);
