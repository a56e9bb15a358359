/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/ingest_access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "lake/store/boundary.h"
#include "server/access/token_use.h"
#include "server/access/tokens.h"
#include "server/http/reply.h"
#include "server/http/request.h"
#include "server/ingest/link_group.h"
#include "server/ingest/run_owner.h"
#include "server/server.h"

#define RETRY_S 5

static bool is_limited(const struct request *request)
{
	return request->grant.use && request->grant.scope == SCOPE_INGEST;
}

bool ingest_access_limit(struct request *request, struct reply *reply)
{
	const struct token_grant *grant = &request->grant;
	struct server *server = request->server;
	unsigned wait_s;

	if (!is_limited(request) || token_use_take(tokens_uses(server->tokens), grant->use,
						   &grant->limits, request->body.len, &wait_s))
		return true;
	server->metrics.limited++;
	reply->retry_after_s = wait_s;
	reply_problem(reply, 429,
		      "this token sends more batches or bytes a second than it may: send it again "
		      "later, or make a token with a higher limit");
	return false;
}

static void refuse(struct request *request, const char *host_id, struct reply *reply)
{
	struct server *server = request->server;
	char result[sizeof(reply->error.text) + 16];

	server->metrics.refused++;
	server->metrics.foreign++;
	snprintf(result, sizeof(result), "refused: %s", error_text(&reply->error));
	if (token_use_note_refusal(tokens_uses(server->tokens), request->grant.use))
		request_audit(request, "ingest", host_id, result);
	reply_problem(reply, 403, "%s", error_text(&reply->error));
}

static int bind_token(struct request *request, const Signal__Batch *batch, struct error *err)
{
	struct token_uses *uses = tokens_uses(request->server->tokens);
	const char *host_id = batch->host_id;
	bool is_new;
	int rc;

	if (strcmp(host_id, INGEST_LAKE_HOST) == 0)
		return error_set(err, -EPERM,
				 "host \"%s\" is the lake itself: no token may write "
				 "its rows",
				 host_id);
	rc = tokens_bind(request->server->tokens, &request->grant, host_id, &is_new, err);
	if (rc == 0 && !token_use_sender(uses, request->grant.use, batch->agent_id, batch->boot_id))
		rc = error_set(err, -EPERM,
			       "this token sent as %d agents and boots of its host since the lake "
			       "started: a host has one agent. Revoke it if this is not your "
			       "doing, or start the lake again",
			       TOKEN_SENDERS_MAX);
	if (rc == 0 && is_new)
		request_audit(request, "token.bind", host_id, "done");
	return rc;
}

/* What the host sends under the id of a run of another host gets an id of its own. */
static int separate(struct request *request, Signal__Batch *batch, struct arena *arena,
		    bool *ret_changed, struct error *err)
{
	struct server *server = request->server;
	size_t replaced = 0;
	int rc = run_owners_apply(server->run_owners, server->store, batch, arena, &replaced, err);

	if (rc || !replaced)
		return rc;
	*ret_changed = true;
	server->metrics.foreign++;
	if (token_use_note_refusal(tokens_uses(server->tokens), request->grant.use))
		request_audit(request, "ingest", batch->host_id,
			      "kept apart: records under the id of another host's run");
	return 0;
}

bool ingest_access_host(struct request *request, Signal__Batch *batch, struct arena *arena,
			bool *ret_changed, struct reply *reply)
{
	const char *group = is_limited(request) ? request->grant.group : TOKEN_GROUP;
	int rc;

	*ret_changed = batch->n_links > 0;
	if (link_group_mark(batch, arena, group)) {
		reply_failed(reply, -ENOMEM, request->path);
		return false;
	}
	/* A batch without a usable header is refused by the store. */
	if (!is_limited(request) || boundary_header(batch, NULL))
		return true;
	rc = bind_token(request, batch, &reply->error);
	if (rc == 0)
		rc = separate(request, batch, arena, ret_changed, &reply->error);
	if (rc == 0)
		return true;
	if (rc == -EPROTO) {
		reply_failed(reply, rc, request->path);
		return false;
	}
	if (rc == -EPERM) {
		refuse(request, batch->host_id, reply);
		return false;
	}
	log_error("a batch is not let in: %s", error_text(&reply->error));
	reply->retry_after_s = RETRY_S;
	reply_problem(reply, 503,
		      "the lake cannot look up what the token may write; send it again "
		      "later");
	return false;
}
