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
void engine_report_nextflow_id(const char *session, const char *name,
			       char id[ENGINE_REPORT_ID_MAX + 1])
{
	char both[2 * ENGINE_REPORT_ID_MAX + 12];
	int len = snprintf(both, sizeof(both), "nextflow/%s/%s", session, name);

	snprintf(id, ENGINE_REPORT_ID_MAX + 1, "%s", id_of(both, (size_t)len).text);
}

/* A folder as a path: java.nio writes some as URIs. */
static void set_folder(struct engine_report *report, char **field, const json_t *value)
{
	const char *path = json_string_value(value);

	if (!path)
		return;
	if (text_starts_with(path, "file://"))
		path += strlen("file://");
	engine_report_set_text(report, field, path);
}

void engine_report_nextflow_workflow(struct engine_report *report, Signal__ToldRun *run,
				     const json_t *workflow)
{
	const json_t *manifest = json_object_get(workflow, "manifest");
	const json_t *name = json_object_get(manifest, "name");
	const char *project = json_string_value(json_object_get(workflow, "projectName"));

	set_folder(report, &run->cwd, json_object_get(workflow, "launchDir"));
	if (json_string_length(name))
		engine_report_set(report, &run->pipeline, name);
	else if (project && strchr(project, '/')) /* a script is called by its file */
		engine_report_set_text(report, &run->pipeline, project);
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

int engine_report_nextflow_task(struct engine_report *report, const char *id, const char *said_by,
				const json_t *trace, struct error *err)
{
	const char *key = json_object_get(trace, "taskId") ? "taskId" : "task_id";
	int64_t attempt = json_integer_value(json_object_get(trace, "attempt"));
	char task_id[ENGINE_REPORT_ID_MAX + 1];
	Signal__ToldTask *task;
	int rc = engine_report_id(trace, key, task_id, err);

	if (rc)
		return rc;
	task = engine_report_task(report, id, said_by);
	if (!task)
		return engine_report_end(report, 0, err);
	engine_report_set_text(report, &task->task, task_id);
	engine_report_set(report, &task->step, json_object_get(trace, "process"));
	engine_report_set(report, &task->name, json_object_get(trace, "name"));
	engine_report_set(report, &task->sample, json_object_get(trace, "tag"));
	engine_report_set_text(report, &task->status, status_of(json_object_get(trace, "status")));
	set_folder(report, &task->workdir, json_object_get(trace, "workdir"));
	task->attempt = attempt > 0 && attempt < INT32_MAX ? (uint32_t)attempt : 0;
	task->submitted_at = engine_report_time(json_object_get(trace, "submit"));
	task->cpus_requested = amount_of(json_object_get(trace, "cpus"), BOUND_CPUS);
	task->memory_requested_bytes =
		(uint64_t)amount_of(json_object_get(trace, "memory"), BOUND_MEMORY_BYTES);
	return engine_report_end(report, 0, err);
}
