/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile message of an engine: it is refused, or gives records with ids and texts that the store
 * accepts. The first byte is the kind of message. */
#include "fuzz.h"

#include <string.h>

#include "base/utf8.h"
#include "server/ingest/engine_report.h"
#include "signal/bounds.h"

static int read_any(struct told *told, char kind, const char *bytes, size_t len)
{
	switch (kind) {
	case 'w':
		return told_from_weblog(told, bytes, len, NULL);
	case 't':
		return told_from_tower(told, "id", bytes, len, NULL);
	case 'c':
		return told_from_wms_create(told, "id", NULL, 1, bytes, len, NULL);
	default:
		return told_from_wms(told, bytes, len, NULL);
	}
}

static void check_text(const char *text, size_t most)
{
	MUST(strlen(text) <= most && utf8_valid(text, strlen(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct told told;

	if (!len)
		return 0;
	told_init(&told);
	if (read_any(&told, (char)bytes[0], (const char *)bytes + 1, len - 1) == 0) {
		for (size_t i = 0; i < told.batch->n_told_runs; i++) {
			Signal__ToldRun *run = told.batch->told_runs[i];

			MUST(*run->told_id && *run->engine && run->begun_at >= 0);
			check_text(run->told_id, TOLD_ID_MAX);
			check_text(run->name, TOLD_NAME_MAX);
			check_text(run->cwd, TOLD_NAME_MAX);
			check_text(run->pipeline, TOLD_NAME_MAX);
		}
		for (size_t i = 0; i < told.batch->n_told_tasks; i++) {
			Signal__ToldTask *task = told.batch->told_tasks[i];

			MUST(*task->told_id && task->n_outputs <= TOLD_OUTPUTS_MAX);
			MUST(task->cpus_requested >= 0 && task->cpus_requested <= BOUND_CPUS &&
			     task->memory_requested_bytes <= BOUND_MEMORY_BYTES);
			check_text(task->task, TOLD_NAME_MAX);
			check_text(task->name, TOLD_NAME_MAX);
			check_text(task->workdir, TOLD_NAME_MAX);
			check_text(task->command, 2 * TOLD_COMMAND_MAX);
		}
	}
	told_clear(&told);
	return 0;
}
