/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "signal.pb-c.h"

struct arena;
struct reply;
struct request;

/* What an ingest token may send. Both functions return false with the problem in the reply; an
 * admin token may send everything. */

/* The host id of the rows that the lake writes itself: no token may write them. */
#define INGEST_LAKE_HOST "lake"

/* Whether the token may send a body of this size now (429 with Retry-After). */
bool ingest_access_limit(struct request *request, struct reply *reply);
/* Whether it may write rows of the host of the batch (403); a token that no host has used yet is
 * bound to it (503 where that cannot be stored). The batch's links are marked as those of the
 * token's group (link_group.h), and records under the id of another host's run get an id of their
 * own (run_owner.h); arena: of the batch. A refusal is counted, and noted in the audit log once a
 * minute. *ret_changed: the batch is not as it was sent. */
bool ingest_access_host(struct request *request, Signal__Batch *batch, struct arena *arena,
			bool *ret_changed, struct reply *reply);
