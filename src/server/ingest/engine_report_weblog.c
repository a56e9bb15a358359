/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/engine_report.h"

#include <string.h>

#include "base/cleanup.h"

/* Nextflow's -with-weblog: one message an event, "started", "process_submitted", …, of the core
 * until 22.10, of the plugin nf-weblog since. Each message has the id and name of the run. */
static int read_event(struct engine_report *report, const json_t *root, struct error *err)
{
	const json_t *trace = json_object_get(root, "trace");
	const char *event = json_string_value(json_object_get(root, "event"));
	char session[ENGINE_REPORT_ID_MAX + 1], name[ENGINE_REPORT_ID_MAX + 1],
		id[ENGINE_REPORT_ID_MAX + 1];
	Signal__ToldRun *run;
	int rc = engine_report_id(root, "runId", session, err);

	if (rc == 0)
		rc = engine_report_id(root, "runName", name, err);
	if (rc)
		return rc;
	engine_report_nextflow_id(session, name, id);
	run = engine_report_run(report, id, "weblog", "nextflow");
	if (!run)
		return engine_report_end(report, 0, err);
	engine_report_set_text(report, &run->engine_run_id, session);
	engine_report_set_text(report, &run->name, name);
	engine_report_nextflow_workflow(
		report, run, json_object_get(json_object_get(root, "metadata"), "workflow"));
	if (event && strcmp(event, "started") == 0)
		run->begun_at = engine_report_time(json_object_get(root, "utcTime"));
	/* An error that no task is to blame for has none. */
	return json_is_object(trace) ? engine_report_nextflow_task(report, id, "weblog", trace, err)
				     : 0;
}

int engine_report_from_weblog(struct engine_report *report, const char *bytes, size_t len,
			      struct error *err)
{
	CLEANUP(json_decrefp) json_t *root = NULL;
	int rc = engine_report_read(bytes, len, &root, err);

	return engine_report_end(report, rc ? rc : read_event(report, root, err), err);
}
