/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/batch_job.h"
#include "correlate/engines/shared/wdl_command.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <string.h>

/* Cromwell runs workflows in WDL: each call has a folder of its name. Read in its sources
 * (docs/engines/cromwell.md). */

/* Java's helper, and what puts a call's script into the background. */
static bool cromwell_is_shim(const struct exec_view *exec)
{
	static const char *const shims[] = { "jspawnhelper", "env", "script.background",
					     "script.submit" };

	for (size_t i = 0; i < sizeof(shims) / sizeof(*shims); i++)
		if (strcmp(exec->command->subject, shims[i]) == 0)
			return true;
	return false;
}

/* The script of a call, or the client of the container in which it runs. */
static bool cromwell_call(const struct exec_view *exec, struct batch_call *ret)
{
	const struct command *command = exec->command;

	if (batch_call_of(command->path, ret))
		return true;
	for (size_t i = 0; i < command->count; i++)
		if (text_ends_with(command->args[i], "/script") &&
		    batch_call_of(command->args[i], ret))
			return true;
	return false;
}

static bool cromwell_is_task(const struct run *run, const struct exec_view *exec)
{
	struct batch_call call;

	return cromwell_call(exec, &call);
}

static void cromwell_name_task(struct task *task, const struct exec_view *exec)
{
	struct batch_call call;

	if (task->named || !cromwell_call(exec, &call))
		return;
	task_set_name(task, call.name, call.shard);
	task->record.attempt = call.attempt;
}

const struct engine engine_cromwell = {
	.name = "cromwell",
	.program = "cromwell",
	.parts_fail = true,
	.begins = wdl_command_begins,
	.describe = wdl_command_describe,
	.is_task = cromwell_is_task,
	.is_shim = cromwell_is_shim,
	.name_task = cromwell_name_task,
};
