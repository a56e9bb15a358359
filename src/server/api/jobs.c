/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "server/access/audit.h"
#include "server/admin/worker.h"
#include "server/api/handlers.h"
#include "server/server.h"

static const char *const STATES[] = {
	[WORKER_RUNS] = "running", [WORKER_DONE] = "done", [WORKER_FAILED] = "failed"
};

static void take(char text[JOB_TEXT_SIZE], const struct request *request, const char *name)
{
	const char *value = request_text(request, name);

	snprintf(text, JOB_TEXT_SIZE, "%s", value ? value : "");
}

static void note(const struct request *request, const struct job *job, const char *result)
{
	const char *subject = *job->run ? job->run : *job->user ? job->user : job->host;

	audit_note(request->server->settings->data_folder,
		   &(struct audit_entry){ .who = "admin token",
					  .action = job->kind,
					  .subject = subject,
					  .result = result });
}

static void add(struct json *json, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(json, key);
	json_text(json, text);
}

int post_jobs(struct request *request, struct reply *reply)
{
	const char *dry = request_text(request, "dry");
	struct job job = { .dry = dry && strcmp(dry, "true") == 0 };
	uint64_t number = 0;
	struct json json;
	int rc;

	snprintf(job.kind, sizeof(job.kind), "%s", request_text(request, "kind"));
	take(job.run, request, "run");
	take(job.user, request, "user");
	take(job.host, request, "host");
	rc = job_check(&job, &reply->error);
	if (!rc)
		rc = worker_begin(request->server->worker, &job, &number, &reply->error);
	note(request, &job, rc ? "refused" : job.dry ? "begun (dry)" : "begun");
	if (rc)
		return rc;
	reply->status = 202;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "number");
	json_u64(&json, number);
	json_object_end(&json);
	return 0;
}

/* By which a command knows that it means this lake (job_client.c): paths may differ. */
static void add_folder(struct json *json, const char *path)
{
	char name[JOB_FOLDER_SIZE];

	if (job_name_folder(path, name) == 0)
		add(json, "data_folder", name);
}

int get_jobs(struct request *request, struct reply *reply)
{
	struct worker_state state;
	struct json json;

	worker_look(request->server->worker, &state);
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "number");
	json_u64(&json, state.number);
	add_folder(&json, request->server->settings->data_folder);
	if (state.number) {
		add(&json, "kind", state.job.kind);
		add(&json, "state", STATES[state.state]);
		add(&json, "progress", state.words);
		add(&json, "report", state.report);
		add(&json, "path", state.path);
		if (state.state == WORKER_FAILED)
			add(&json, "error", error_text(&state.err));
		json_key(&json, "faulty");
		json_bool(&json, state.faulty);
	}
	json_object_end(&json);
	free(state.report);
	free(state.path);
	return 0;
}
