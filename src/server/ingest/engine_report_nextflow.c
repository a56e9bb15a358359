/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/engine_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/id.h"
#include "base/text.h"
#include "signal/bounds.h"

/*
 * What Nextflow's messages share (nextflow.trace.TraceRecord, nextflow.script.WorkflowMetadata;
 * seen from Nextflow 22.10.7): Weblog writes the fields of a task as they are (task_id), Tower in
 * camel case (taskId).
 */

/* With -resume a session is that of the run before, a name never is. */
void told_nextflow_id(const char *session, const char *name, char id[TOLD_ID_MAX + 1])
{
	char both[2 * TOLD_ID_MAX + 12];
	int len = snprintf(both, sizeof(both), "nextflow/%s/%s", session, name);

	snprintf(id, TOLD_ID_MAX + 1, "%s", id_of(both, (size_t)len).text);
}

/* A folder as a path: java.nio writes some as URIs. */
static void set_folder(struct told *told, char **field, const json_t *value)
{
	const char *path = json_string_value(value);

	if (!path)
		return;
	if (text_starts_with(path, "file://"))
		path += strlen("file://");
	told_set_text(told, field, path);
}

void told_nextflow_workflow(struct told *told, Signal__ToldRun *run, const json_t *workflow)
{
	const json_t *manifest = json_object_get(workflow, "manifest");
	const json_t *name = json_object_get(manifest, "name");
	const char *project = json_string_value(json_object_get(workflow, "projectName"));

	set_folder(told, &run->cwd, json_object_get(workflow, "launchDir"));
	if (json_string_length(name))
		told_set(told, &run->pipeline, name);
	else if (project && strchr(project, '/')) /* a script is called by its file */
		told_set_text(told, &run->pipeline, project);
}

static const char *status_of(const json_t *value)
{
	static const struct {
		const char *said, *is;
	} STATUSES[] = {
		{ "NEW", "queued" },      { "PENDING", "queued" },  { "SUBMITTED", "queued" },
		{ "RUNNING", "running" }, { "COMPLETED", "ended" }, { "FAILED", "ended" },
		{ "ABORTED", "ended" },   { "CACHED", "cached" },
	};
	const char *said = json_string_value(value);

	for (size_t i = 0; said && i < sizeof(STATUSES) / sizeof(STATUSES[0]); i++)
		if (strcmp(STATUSES[i].said, said) == 0)
			return STATUSES[i].is;
	return "";
}

/* Whole or not, from 0 to most; 0: what is none, or cannot be asked for. */
static double amount_of(const json_t *value, double most)
{
	double amount = json_number_value(value);

	return amount > 0 && amount <= most ? amount : 0;
}

int told_nextflow_task(struct told *told, const char *id, const char *said_by, const json_t *trace,
		       struct error *err)
{
	const char *key = json_object_get(trace, "taskId") ? "taskId" : "task_id";
	int64_t attempt = json_integer_value(json_object_get(trace, "attempt"));
	char task_id[TOLD_ID_MAX + 1];
	Signal__ToldTask *task;
	int rc = told_id(trace, key, task_id, err);

	if (rc)
		return rc;
	task = told_task(told, id, said_by);
	if (!task)
		return told_end(told, 0, err);
	told_set_text(told, &task->task, task_id);
	told_set(told, &task->step, json_object_get(trace, "process"));
	told_set(told, &task->name, json_object_get(trace, "name"));
	told_set(told, &task->sample, json_object_get(trace, "tag"));
	told_set_text(told, &task->status, status_of(json_object_get(trace, "status")));
	set_folder(told, &task->workdir, json_object_get(trace, "workdir"));
	task->attempt = attempt > 0 && attempt < INT32_MAX ? (uint32_t)attempt : 0;
	task->submitted_at = told_time(json_object_get(trace, "submit"));
	task->cpus_requested = amount_of(json_object_get(trace, "cpus"), BOUND_CPUS);
	task->memory_requested_bytes =
		(uint64_t)amount_of(json_object_get(trace, "memory"), BOUND_MEMORY_BYTES);
	return told_end(told, 0, err);
}
