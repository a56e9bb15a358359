/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/python_process.h"
#include "correlate/model/run.h"

#include "base/text.h"

#include <string.h>

/* Luigi: tasks are functions in Python. Seen with strace in version 3.8 (docs/engines/luigi.md). */

/* `luigi [--module M] TASK …`. luigid is the scheduler of other processes and runs no task. */
static bool luigi_begins(const struct exec_view *exec)
{
	static const char *const printing[] = { "--help", "-h", "--help-all", "--version", NULL };
	const struct command *command = exec->command;

	if (strcmp(command->subject, "luigi") != 0)
		return false;
	for (size_t i = 0; i < command->count; i++)
		if (text_is_one_of(command->args[i], printing))
			return false;
	return command->count > 0;
}

/* Names the run after the module, or else after the task on the command line. */
static void luigi_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *name = command_option(command->args, command->count, "--module", NULL);

	if (!name && command->args[0][0] != '-')
		name = command->args[0];
	run_set_pipeline(run, name ? name : "luigi", false);
}

const struct engine engine_luigi = {
	.name = "luigi",
	.program = "luigi",
	.begins = luigi_begins,
	.describe = luigi_describe,
	.is_task = python_is_task,
	.is_shim = python_is_shim,
};
