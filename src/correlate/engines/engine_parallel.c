/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/plain_run.h"
#include "correlate/tree/attribution.h"

/*
 * GNU parallel runs each job by a shell that it calls by an absolute path. Helpers that it starts
 * for itself go through Perl's "sh", or through no shell (seen in version 20221122,
 * docs/engines/parallel.md).
 */
static bool parallel_is_task(const struct run *run, const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	return rule && rule->kind == RULE_SHELL && exec->image->argc > 0 &&
	       exec->image->argv[0][0] == '/' && command_has_code(exec->command);
}

const struct engine engine_parallel = {
	.name = "parallel",
	.program = "parallel",
	.reported = REPORT_FROM_ROOT,
	.tasks_by_pipes = true,
	.root_kind = RUN_ROOT_COMMAND,
	.fans_out = true,
	.fan_role = ROLE_PARALLEL,
	.stands_alone = true,
	.describe = plain_run_describe,
	.is_task = parallel_is_task,
};
