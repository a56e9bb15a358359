/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "lake/store/store.h"
#include "server/api/handlers.h"
#include "server/server.h"
#include "server/ingest/engine_report.h"

/*
 * What workflow engines send of themselves: names for what agents see, never needed. Whatever goes
 * wrong here must not harm the workflow: Snakemake ends itself on 401, 403, 404 and 500.
 */
#define RETRY_S 5

static int answer(struct reply *reply, const char *key, const char *text)
{
	struct json json;

	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	if (key) {
		json_key(&json, key);
		json_text(&json, text);
	}
	json_object_end(&json);
	return 0;
}

/* The lake speaks for itself: its batches are numbered since it started. */
static int sign(struct server *server, struct told *told, struct error *err)
{
	told_set_text(told, &told->batch->agent_id, "engines");
	told_set_text(told, &told->batch->host_id, "lake");
	told_set_text(told, &told->batch->boot_id, server->instance.text);
	told->batch->sequence = ++server->told_sequence;
	told->batch->created_at = clock_real_ns();
	return told_end(told, 0, err);
}

/* Keeps what was told. rc: what reading it came to. */
static int keep(struct server *server, struct told *told, int rc, struct reply *reply)
{
	bool duplicate;

	if (rc)
		return rc;
	if (!told->batch->n_told_runs && !told->batch->n_told_tasks)
		return 0;
	rc = sign(server, told, &reply->error);
	if (rc)
		return rc;
	rc = store_ingest(server->store, told->batch, &duplicate, &reply->error);
	if (rc == 0) {
		server->listens = true;
		server->changes++;
	}
	return rc;
}

/* Ends a request: 200 with one member (key NULL: none), or why not. told is cleared. */
static int end(struct request *request, struct reply *reply, struct told *told, int rc,
	       const char *key, const char *text)
{
	rc = keep(request->server, told, rc, reply);
	told_clear(told);
	if (rc == -EPROTO) {
		request->server->metrics.malformed++;
		return rc;
	}
	if (rc) {
		log_error("what an engine told is not stored: %s", error_text(&reply->error));
		reply->retry_after_s = RETRY_S;
		return reply_problem(reply, 503, "the store cannot take it now");
	}
	return answer(reply, key, text);
}

int post_weblog(struct request *request, struct reply *reply)
{
	struct told told;
	int rc;

	told_init(&told);
	rc = told_from_weblog(&told, request->body.data, request->body.len, &reply->error);
	return end(request, reply, &told, rc, NULL, NULL);
}

int post_tower_create(struct request *request, struct reply *reply)
{
	const struct buffer *body = &request->body;
	char id[TOLD_ID_MAX + 1];
	struct told told;
	int rc;

	told_init(&told);
	rc = told_tower_id(body->data, body->len, id, &reply->error);
	if (rc == 0)
		rc = told_from_tower(&told, id, body->data, body->len, &reply->error);
	return end(request, reply, &told, rc, "workflowId", id);
}

int put_tower(struct request *request, struct reply *reply)
{
	const struct buffer *body = &request->body;
	struct told told;
	int rc = 0;

	told_init(&told);
	if (strlen(request->param) > TOLD_ID_MAX)
		rc = error_set(&reply->error, -EPROTO, "a workflow's id has %d bytes at most",
			       TOLD_ID_MAX);
	if (rc == 0)
		rc = told_from_tower(&told, request->param, body->data, body->len, &reply->error);
	return end(request, reply, &told, rc, "watchUrl", request->server->url);
}

int put_tower_alive(struct request *request, struct reply *reply)
{
	return answer(reply, NULL, NULL);
}

int get_wms_info(struct request *request, struct reply *reply)
{
	return answer(reply, "status", "running");
}

/* The id is new each time: nothing that Snakemake sends names a run. */
int get_wms_create(struct request *request, struct reply *reply)
{
	const struct buffer *body = &request->body;
	struct id id = id_random();
	struct told told;
	int rc;

	told_init(&told);
	rc = told_from_wms_create(&told, id.text, request_text(request, "name"), clock_real_ns(),
				  body->data, body->len, &reply->error);
	return end(request, reply, &told, rc, "id", id.text);
}

int post_wms_update(struct request *request, struct reply *reply)
{
	struct told told;
	int rc;

	told_init(&told);
	rc = told_from_wms(&told, request->body.data, request->body.len, &reply->error);
	return end(request, reply, &told, rc, NULL, NULL);
}
