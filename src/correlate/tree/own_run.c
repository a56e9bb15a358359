/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/own_run.h"

#include "correlate/command/system.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"
#include "correlate/tree/tree_private.h"

bool own_run_is_work(const struct engine *engine, const struct exec_view *exec)
{
	const struct rule *interpreter = command_interpreter(exec->command);

	if (engine->is_work)
		return engine->is_work(exec);
	return command_is_script(exec->command) && interpreter->kind != RULE_SHELL;
}

bool own_run_is_upkeep(const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;
	const struct tree_image *image = exec->image;

	if (rule && (rule->kind == RULE_TOOL || rule->kind == RULE_SHELL))
		return false;
	return system_is(exec->command, image->argc > 0 ? image->argv[0] : NULL);
}

/* Scripts and further sessions, also behind launchers (sudo -i, tmux). */
static const struct engine *own_in_session(const struct attribution *attribution,
					   const struct exec_view *exec)
{
	const struct task *task = attribution_task(attribution);

	if (task ? task_is_reported(task) : attribution->role != ROLE_FORK)
		return NULL;
	if (shell_reads(exec->command))
		return engine_of_root(RUN_ROOT_SESSION, exec);
	if (!command_is_script(exec->command) || own_run_is_upkeep(exec))
		return NULL;
	return engine_of_root(RUN_ROOT_SCRIPT, exec);
}

const struct engine *own_run_engine(const struct attribution *attribution,
				    const struct engine *engine, const struct exec_view *exec)
{
	const struct engine *outer = attribution->run->engine;
	const struct task *task = attribution_task(attribution);

	if (!outer->tasks_by_pipes || attribution->role == ROLE_ENGINE ||
	    attribution->role == ROLE_SYSTEM ||
	    (attribution->root && task && task_is_reported(task)))
		return NULL;
	if (engine && !engine->fans_out && engine != outer)
		return engine;
	return outer->is_session ? own_in_session(attribution, exec) : NULL;
}
