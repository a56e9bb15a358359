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
#include "server/findings/analysis_worker.h"
#include "server/server.h"
#include "server/ingest/engine_report.h"
#include "server/ingest/ingest_access.h"

/*
 * Reports of workflow engines: names for what agents see. Tracer works without them. An error here
 * must not harm the workflow: Snakemake ends itself on 401, 403, 404 and 500.
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

/* Sets the header of the batch: the lake is its agent, and numbers its batches from its start. */
static int sign(struct server *server, struct engine_report *report, struct error *err)
{
	engine_report_set_text(report, &report->batch->agent_id, "engines");
	engine_report_set_text(report, &report->batch->host_id, INGEST_LAKE_HOST);
	engine_report_set_text(report, &report->batch->boot_id, server->instance.text);
	report->batch->sequence = ++server->report_sequence;
	report->batch->created_at = clock_real_ns();
	return engine_report_end(report, 0, err);
}

/* Stores the report. rc: the result of reading it. */
static int keep(struct server *server, struct engine_report *report, int rc, struct reply *reply)
{
	bool duplicate;

	if (rc)
		return rc;
	if (!report->batch->n_told_runs && !report->batch->n_told_tasks)
		return 0;
	rc = sign(server, report, &reply->error);
	if (rc)
		return rc;
	rc = store_ingest(server->store, report->batch, &duplicate, &reply->error);
	if (rc == 0) {
		server->has_engine_reports = true;
		server->changes++;
		analysis_worker_notice(server->analyst, report->batch);
	}
	return rc;
}

/* Ends a request: 200 with one member (key NULL: none), or why not. Clears the report. */
static int end(struct request *request, struct reply *reply, struct engine_report *report, int rc,
	       const char *key, const char *text)
{
	rc = keep(request->server, report, rc, reply);
	engine_report_clear(report);
	if (rc == -EPROTO) {
		request->server->metrics.malformed++;
		return rc;
	}
	if (rc) {
		log_error("the report of an engine is not stored: %s", error_text(&reply->error));
		reply->retry_after_s = RETRY_S;
		return reply_problem(reply, 503, "the store cannot take it now");
	}
	return answer(reply, key, text);
}

int post_weblog(struct request *request, struct reply *reply)
{
	struct engine_report report;
	int rc;

	engine_report_init(&report);
	rc = engine_report_from_weblog(&report, request->body.data, request->body.len,
				       &reply->error);
	return end(request, reply, &report, rc, NULL, NULL);
}

int post_tower_create(struct request *request, struct reply *reply)
{
	const struct buffer *body = &request->body;
	char id[ENGINE_REPORT_ID_MAX + 1];
	struct engine_report report;
	int rc;

	engine_report_init(&report);
	rc = engine_report_tower_id(body->data, body->len, id, &reply->error);
	if (rc == 0)
		rc = engine_report_from_tower(&report, id, body->data, body->len, &reply->error);
	return end(request, reply, &report, rc, "workflowId", id);
}

int put_tower(struct request *request, struct reply *reply)
{
	const struct buffer *body = &request->body;
	struct engine_report report;
	int rc = 0;

	engine_report_init(&report);
	if (strlen(request->param) > ENGINE_REPORT_ID_MAX)
		rc = error_set(&reply->error, -EPROTO, "a workflow's id has %d bytes at most",
			       ENGINE_REPORT_ID_MAX);
	if (rc == 0)
		rc = engine_report_from_tower(&report, request->param, body->data, body->len,
					      &reply->error);
	return end(request, reply, &report, rc, "watchUrl", request->server->url);
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
	struct engine_report report;
	int rc;

	engine_report_init(&report);
	rc = engine_report_from_wms_create(&report, id.text, request_text(request, "name"),
					   clock_real_ns(), body->data, body->len, &reply->error);
	return end(request, reply, &report, rc, "id", id.text);
}

int post_wms_update(struct request *request, struct reply *reply)
{
	struct engine_report report;
	int rc;

	engine_report_init(&report);
	rc = engine_report_from_wms(&report, request->body.data, request->body.len, &reply->error);
	return end(request, reply, &report, rc, NULL, NULL);
}
