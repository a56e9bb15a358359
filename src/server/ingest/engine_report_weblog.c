/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/engine_report.h"

#include <string.h>

#include "base/cleanup.h"

/* Nextflow's -with-weblog: one message an event, "started", "process_submitted", …, of the core
 * until 22.10, of the plugin nf-weblog since. The run's id and name stand in each. */
static int read_event(struct told *told, const json_t *root, struct error *err)
{
	const json_t *trace = json_object_get(root, "trace");
	const char *event = json_string_value(json_object_get(root, "event"));
	char session[TOLD_ID_MAX + 1], name[TOLD_ID_MAX + 1], id[TOLD_ID_MAX + 1];
	Signal__ToldRun *run;
	int rc = told_id(root, "runId", session, err);

	if (rc == 0)
		rc = told_id(root, "runName", name, err);
	if (rc)
		return rc;
	told_nextflow_id(session, name, id);
	run = told_run(told, id, "weblog", "nextflow");
	if (!run)
		return told_end(told, 0, err);
	told_set_text(told, &run->engine_run_id, session);
	told_set_text(told, &run->name, name);
	told_nextflow_workflow(told, run,
			       json_object_get(json_object_get(root, "metadata"), "workflow"));
	if (event && strcmp(event, "started") == 0)
		run->begun_at = told_time(json_object_get(root, "utcTime"));
	/* An error that no task is to blame for has none. */
	return json_is_object(trace) ? told_nextflow_task(told, id, "weblog", trace, err) : 0;
}

int told_from_weblog(struct told *told, const char *bytes, size_t len, struct error *err)
{
	CLEANUP(json_decrefp) json_t *root = NULL;
	int rc = told_read(bytes, len, &root, err);

	return told_end(told, rc ? rc : read_event(told, root, err), err);
}
