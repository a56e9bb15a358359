/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "collect/output/outbox.h"
#include "collect/process/agent_clock.h"
#include "collect/process/process_table.h"
#include "correlate/tree/output_names.h"
#include "signal/redact/redact.h"

#define PATH_BYTES (16u << 10) /* a path, masked */

/* Messages take char *, and the outbox copies them without writing. */
static char *text(const char *value)
{
	return (char *)(uintptr_t)value;
}

/* The event of an error: its kind, and its text. */
static const struct trouble {
	int error;
	const char *kind, *words;
} troubles[] = {
	{ ENOSPC, "disk_full", "found no space left" },
	{ EDQUOT, "disk_full", "has used up its disk quota" },
	{ EIO, "io_error", "met an input/output error" },
};

static const struct trouble *trouble_of(const struct probe_file *file)
{
	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++)
		if (file->error_is_new && troubles[i].error == file->error)
			return &troubles[i];
	return NULL;
}

/* "samtools sort (pid 123) found no space left, writing /data/out.bam" */
static void record_trouble(const struct files *files, const struct process *process,
			   const struct probe_file *file, const char *path)
{
	const struct trouble *trouble = trouble_of(file);
	Signal__Event record = SIGNAL__EVENT__INIT;
	char summary[1024];

	if (!trouble)
		return;
	(void)snprintf(summary, sizeof(summary), "%.300s (pid %" PRIu32 ") %s, %s%.500s",
		       *image_tool(process->image) ? image_tool(process->image) : "a process",
		       process->key.pid, trouble->words, *path ? "writing " : "opening a file",
		       path);
	record.happened_at = agent_clock_real(files->clock, file->last_ns);
	record.kind = text(trouble->kind);
	record.pid = process->key.pid;
	record.start_ns = process->key.start_ns;
	record.image_seq = process->image_seq;
	record.run_id = text(attribution_run_id(&process->attribution));
	record.task_id = text(attribution_task_id(&process->attribution));
	record.path = text(path);
	record.code = file->error;
	record.summary = summary;
	outbox_add(files->outbox, &record.base);
}

void files_used(const struct files *files, const struct probe_file *file)
{
	const struct process *process = process_table_get(files->processes, &file->key);
	CLEANUP(buffer_clear) struct buffer path = { 0 };
	Signal__File record = SIGNAL__FILE__INIT;

	if (!process || process_is_noise(process))
		return;
	buffer_init(&path, PATH_BYTES);
	if (file->path)
		redact_text(file->path, &path);
	buffer_append_char(&path, '\0');
	if (files->name_tasks)
		output_names_note(&process->attribution, file->id, file->path, file->writes);
	record.pid = file->key.pid;
	record.start_ns = file->key.start_ns;
	record.image_seq = file->image_seq;
	record.run_id = text(attribution_run_id(&process->attribution));
	record.task_id = text(attribution_task_id(&process->attribution));
	record.file_id = file->id;
	record.kind = text(file->kind);
	record.path = path.failed ? text("") : path.data;
	record.opens = file->opens;
	record.failures = file->failures;
	record.moved_bytes = file->moved_bytes;
	record.size_bytes = file->size_bytes;
	record.reads = file->reads;
	record.writes = file->writes;
	record.mapped = file->mapped;
	record.error = (uint32_t)file->error;
	record.first_at = agent_clock_real(files->clock, file->first_ns);
	record.last_at = agent_clock_real(files->clock, file->last_ns);
	outbox_add(files->outbox, &record.base);
	record_trouble(files, process, file, record.path);
}
