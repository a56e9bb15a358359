/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/engine_report.h"

#include <errno.h>

#include "base/cleanup.h"

/*
 * Nextflow's -with-tower (plugin nf-tower, TowerClient): POST /trace/create with session and name,
 * PUT /trace/ID/begin with the workflow, /progress with up to 100 tasks each second, /heartbeat,
 * /complete. Written after its source; the client itself was not seen.
 */
int told_tower_id(const char *bytes, size_t len, char id[TOLD_ID_MAX + 1], struct error *err)
{
	CLEANUP(json_decrefp) json_t *root = NULL;
	char session[TOLD_ID_MAX + 1], name[TOLD_ID_MAX + 1];
	int rc = told_read(bytes, len, &root, err);

	if (rc == 0)
		rc = told_id(root, "sessionId", session, err);
	if (rc == 0)
		rc = told_id(root, "runName", name, err);
	if (rc == 0)
		told_nextflow_id(session, name, id);
	return rc;
}

static int read_tasks(struct told *told, const char *id, const json_t *tasks, struct error *err)
{
	size_t count = json_array_size(tasks);
	int rc = 0;

	if (count > TOLD_TASKS_MAX)
		return error_set(err, -EPROTO, "%zu tasks in a message, at most %d", count,
				 TOLD_TASKS_MAX);
	for (size_t i = 0; i < count && !rc; i++)
		rc = told_nextflow_task(told, id, "tower", json_array_get(tasks, i), err);
	return rc;
}

static int read_message(struct told *told, const char *id, const json_t *root, struct error *err)
{
	const json_t *workflow = json_object_get(root, "workflow");
	const json_t *about = workflow ? workflow : root;
	Signal__ToldRun *run = told_run(told, id, "tower", "nextflow");

	if (!run)
		return told_end(told, 0, err);
	told_set(told, &run->engine_run_id, json_object_get(about, "sessionId"));
	told_set(told, &run->name, json_object_get(about, "runName"));
	told_nextflow_workflow(told, run, about);
	if (*run->name) /* created or begun: not each second's progress */
		run->begun_at = told_time(json_object_get(root, "instant"));
	return read_tasks(told, id, json_object_get(root, "tasks"), err);
}

int told_from_tower(struct told *told, const char *id, const char *bytes, size_t len,
		    struct error *err)
{
	CLEANUP(json_decrefp) json_t *root = NULL;
	int rc = told_read(bytes, len, &root, err);

	return told_end(told, rc ? rc : read_message(told, id, root, err), err);
}
