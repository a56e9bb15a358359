/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/plain_run.h"
#include "correlate/model/run.h"

/* A shell in which people type, or that reads its commands from a pipe (docs/engines/scripts.md).
 */

static void session_describe(struct run *run, const struct exec_view *exec)
{
	run_set_pipeline(run, "session", false);
}

/* Any program but a shell: the session's own process was replaced by it. */
static bool session_is_work(const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	return !rule || rule->kind != RULE_SHELL;
}

const struct engine engine_session = {
	.name = "session",
	.reported = REPORT_FROM_ROOT,
	.tasks_by_pipes = true,
	.root_kind = RUN_ROOT_SESSION,
	.is_work = session_is_work,
	.is_session = true,
	.describe = session_describe,
	.is_task = plain_run_is_task,
};
