/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/folder.h"
#include "correlate/engines/shared/python_process.h"
#include "correlate/model/run.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Prefect: tasks are functions in Python. Seen with strace in version 3.4
 * (docs/engines/prefect.md). */

/* `prefect flow-run execute ID`, `python -m prefect.engine ID`. */
static bool prefect_begins(const struct exec_view *exec)
{
	return strcmp(exec->command->subject, "prefect") != 0 ||
	       python_subcommand_is(exec->command, "flow-run", "execute");
}

/* The command line does not name the flow: the run is named after its folder. */
static void prefect_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *last = command->count ? command->args[command->count - 1] : "";
	const char *cwd = exec->image->cwd ? exec->image->cwd : "";
	char name[RECORD_NAME_LIMIT];

	folder_name(cwd, "flow.py", "prefect", name, sizeof(name));
	if (text_starts_with(name, "tmp") && text_ends_with(name, "prefect"))
		(void)snprintf(name, sizeof(name), "prefect"); /* made for this one run */
	run_set_pipeline(run, name, false);
	if (strlen(last) == 36 && last[8] == '-' && !run->named)
		run_set_name(run, last, true);
}

const struct engine engine_prefect = {
	.name = "prefect",
	.program = "prefect",
	.begins = prefect_begins,
	.describe = prefect_describe,
	.is_task = python_is_task,
	.is_shim = python_is_shim,
};
