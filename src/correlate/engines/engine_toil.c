/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/cwl_command.h"
#include "correlate/model/record.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <string.h>

/* Toil runs workflows in CWL. Seen with strace in version 5.9 of Debian 12
 * (docs/engines/toil.md). */
#define WORKER "_toil_worker "

/* The job that a worker is started for; NULL: it is none. */
static const char *worker_job(const struct exec_view *exec, size_t *ret_len)
{
	const struct command *command = exec->command;
	const char *text = NULL;

	if (strcmp(command->subject, "_toil_worker") == 0 && command->count > 0)
		text = command->args[0];
	for (size_t i = 0; command_has_code(command) && i < command->count && !text; i++)
		if (text_starts_with(command->args[i], WORKER))
			text = command->args[i] + strlen(WORKER);
	*ret_len = text ? strcspn(text, " ") : 0;
	return text;
}

/* Toil's own jobs by which a workflow goes on: they run nothing of the user's. */
static bool toil_is_task(const struct run *run, const struct exec_view *exec)
{
	static const char *const own[] = { "CWLWorkflow",     "CWLScatter",    "CWLGather",
					   "ResolveIndirect", "CWLJobWrapper", NULL };
	char name[RECORD_NAME_LIMIT];
	size_t len;
	const char *job = worker_job(exec, &len);

	return job && !text_is_one_of(name_copy(job, len, name, sizeof(name)), own);
}

/* A worker, and that it looks how much a job has written. */
static bool toil_is_wrapper(const struct exec_view *exec)
{
	size_t len;

	return worker_job(exec, &len) ||
	       (strcmp(exec->command->subject, "du") == 0 && exec->command->count == 2 &&
		strcmp(exec->command->args[0], "-s") == 0);
}

/* Jobs in Python have names of their own; those of CWL are all called alike, and named by their
 * tools. */
static void toil_name_task(struct task *task, const struct exec_view *exec)
{
	char name[RECORD_NAME_LIMIT];
	size_t len;
	const char *job = worker_job(exec, &len);

	if (job && !task->named && !text_starts_with(job, "CWL"))
		task_set_name(task, name_copy(job, len, name, sizeof(name)), "");
}

const struct engine engine_toil = {
	.name = "toil",
	.program = "toil-cwl-runner",
	.begins = cwl_command_begins,
	.describe = cwl_command_describe,
	.is_task = toil_is_task,
	.is_wrapper = toil_is_wrapper,
	.name_task = toil_name_task,
};
