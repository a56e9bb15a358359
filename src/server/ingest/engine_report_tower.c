/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/engine_report.h"

#include <errno.h>

#include "base/cleanup.h"

/*
 * Nextflow's -with-tower (plugin nf-tower, TowerClient): POST /trace/create with session and name,
 * PUT /trace/ID/begin with the workflow, /progress with up to 100 tasks each second, /heartbeat,
 * /complete. Written after its source; the client itself was not seen.
 */
int engine_report_tower_id(const char *bytes, size_t len, char id[ENGINE_REPORT_ID_MAX + 1],
			   struct error *err)
{
	CLEANUP(json_decrefp) json_t *root = NULL;
	char session[ENGINE_REPORT_ID_MAX + 1], name[ENGINE_REPORT_ID_MAX + 1];
	int rc = engine_report_read(bytes, len, &root, err);

	if (rc == 0)
		rc = engine_report_id(root, "sessionId", session, err);
	if (rc == 0)
		rc = engine_report_id(root, "runName", name, err);
	if (rc == 0)
		engine_report_nextflow_id(session, name, id);
	return rc;
}

static int read_tasks(struct engine_report *report, const char *id, const json_t *tasks,
		      struct error *err)
{
	size_t count = json_array_size(tasks);
	int rc = 0;

	if (count > ENGINE_REPORT_TASKS_MAX)
		return error_set(err, -EPROTO, "%zu tasks in a message, at most %d", count,
				 ENGINE_REPORT_TASKS_MAX);
	for (size_t i = 0; i < count && !rc; i++)
		rc = engine_report_nextflow_task(report, id, "tower", json_array_get(tasks, i),
						 err);
	return rc;
}

static int read_message(struct engine_report *report, const char *id, const json_t *root,
			struct error *err)
{
	const json_t *workflow = json_object_get(root, "workflow");
	const json_t *about = workflow ? workflow : root;
	Signal__ToldRun *run = engine_report_run(report, id, "tower", "nextflow");

	if (!run)
		return engine_report_end(report, 0, err);
	engine_report_set(report, &run->engine_run_id, json_object_get(about, "sessionId"));
	engine_report_set(report, &run->name, json_object_get(about, "runName"));
	engine_report_nextflow_workflow(report, run, about);
	if (*run->name) /* created or begun: not each second's progress */
		run->begun_at = engine_report_time(json_object_get(root, "instant"));
	return read_tasks(report, id, json_object_get(root, "tasks"), err);
}

int engine_report_from_tower(struct engine_report *report, const char *id, const char *bytes,
			     size_t len, struct error *err)
{
	CLEANUP(json_decrefp) json_t *root = NULL;
	int rc = engine_report_read(bytes, len, &root, err);

	return engine_report_end(report, rc ? rc : read_message(report, id, root, err), err);
}
