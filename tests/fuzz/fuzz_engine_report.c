/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile message of an engine: it is refused, or gives records with ids and texts that the store
 * accepts. The first byte is the kind of message. */
#include "fuzz.h"

#include <string.h>

#include "base/utf8.h"
#include "server/ingest/engine_report.h"
#include "signal/bounds.h"

static int read_any(struct engine_report *report, char kind, const char *bytes, size_t len)
{
	switch (kind) {
	case 'w':
		return engine_report_from_weblog(report, bytes, len, NULL);
	case 't':
		return engine_report_from_tower(report, "id", bytes, len, NULL);
	case 'c':
		return engine_report_from_wms_create(report, "id", NULL, 1, bytes, len, NULL);
	default:
		return engine_report_from_wms(report, bytes, len, NULL);
	}
}

static void check_text(const char *text, size_t most)
{
	MUST(strlen(text) <= most && utf8_valid(text, strlen(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct engine_report report;

	if (!len)
		return 0;
	engine_report_init(&report);
	if (read_any(&report, (char)bytes[0], (const char *)bytes + 1, len - 1) == 0) {
		for (size_t i = 0; i < report.batch->n_told_runs; i++) {
			Signal__ToldRun *run = report.batch->told_runs[i];

			MUST(*run->told_id && *run->engine && run->begun_at >= 0);
			check_text(run->told_id, ENGINE_REPORT_ID_MAX);
			check_text(run->name, ENGINE_REPORT_NAME_MAX);
			check_text(run->cwd, ENGINE_REPORT_NAME_MAX);
			check_text(run->pipeline, ENGINE_REPORT_NAME_MAX);
		}
		for (size_t i = 0; i < report.batch->n_told_tasks; i++) {
			Signal__ToldTask *task = report.batch->told_tasks[i];

			MUST(*task->told_id && task->n_outputs <= ENGINE_REPORT_OUTPUTS_MAX);
			MUST(task->cpus_requested >= 0 && task->cpus_requested <= BOUND_CPUS &&
			     task->memory_requested_bytes <= BOUND_MEMORY_BYTES);
			check_text(task->task, ENGINE_REPORT_NAME_MAX);
			check_text(task->name, ENGINE_REPORT_NAME_MAX);
			check_text(task->workdir, ENGINE_REPORT_NAME_MAX);
			check_text(task->command, 2 * ENGINE_REPORT_COMMAND_MAX);
		}
	}
	engine_report_clear(&report);
	return 0;
}
