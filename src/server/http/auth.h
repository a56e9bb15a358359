/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "server/http/reply.h"
#include "server/http/request.h"

/* Who comes in. Both return false when not, with the problem in the reply. */

/* Finds the request's route and its open segment. */
bool gate_route(struct request *request, const char *method, struct reply *reply);
/* Checks the bearer token, or for GET the session's cookie (never for POST: a page elsewhere could
 * send one along), against the route's scope; sets request->held. */
bool gate_allow(struct request *request, struct reply *reply);
