/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/plain_run.h"

/* The program text of a `sh -c` or `python -c`, or what a launcher starts. */
static bool command_is_root(const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	return rule && (rule_is_interpreter(rule) || rule->kind == RULE_LAUNCHER);
}

const struct engine engine_command = {
	.name = "command",
	.reported = REPORT_FROM_TASK,
	.tasks_by_pipes = true,
	.root_kind = RUN_ROOT_COMMAND,
	.is_root = command_is_root,
	.describe = plain_run_describe,
	.is_task = plain_run_is_task,
};
