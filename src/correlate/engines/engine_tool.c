/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/plain_run.h"

static bool tool_is_work(const struct exec_view *exec)
{
	return true;
}

/* A tool that no script, session or shell's command started: the run's one task. Records call it a
 * command, too. */
const struct engine engine_tool = {
	.name = "command",
	.reported = REPORT_FROM_TASK,
	.tasks_by_pipes = true,
	.root_kind = RUN_ROOT_COMMAND,
	.is_work = tool_is_work,
	.describe = plain_run_describe,
};
