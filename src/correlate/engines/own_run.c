/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/own_run.h"

#include "correlate/model/run.h"
#include "correlate/engines/system.h"
#include "correlate/model/task.h"
#include "correlate/tree/tree_private.h"

static bool is_shell(const struct rule *rule)
{
	return rule && rule->kind == RULE_SHELL;
}

static bool is_script_of(const struct exec_view *exec, bool of_shell)
{
	const struct command *command = exec->command;

	return !command->rule && command->depth > 0 &&
	       is_shell(command->through[command->depth - 1].rule) == of_shell;
}

bool tree_is_own_work(const struct engine *engine, const struct exec_view *exec)
{
	const struct command *command = exec->command;

	if (engine == &engine_slurm) /* whatever its copy of the script is called */
		return command->depth > 0 && !is_shell(command->through[command->depth - 1].rule);
	return !engine->is_task || is_script_of(exec, false) ||
	       (engine == &engine_session && !is_shell(exec->command->rule));
}

bool own_run_is_systems(const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;
	const struct tree_image *image = exec->image;

	if (rule && (rule->kind == RULE_TOOL || rule->kind == RULE_SHELL))
		return false;
	return system_is(exec->command, image->argc > 0 ? image->argv[0] : NULL);
}

/* A shell in which people type, or that reads its commands from elsewhere. */
static bool is_session(const struct exec_view *exec)
{
	return shell_reads(exec->command);
}

/* What in a session is a run of its own besides engines: scripts and a further session, also behind
 * launchers (sudo -i, tmux). */
static const struct engine *own_in_session(const struct attribution *attribution,
					   const struct exec_view *exec)
{
	const struct task *task = attribution_task(attribution);

	if (task ? task->announced : attribution->role != ROLE_FORK)
		return NULL;
	if (is_session(exec))
		return &engine_session;
	if (!is_script_of(exec, true) && !is_script_of(exec, false))
		return NULL;
	return own_run_is_systems(exec) ? NULL : &engine_script;
}

const struct engine *own_run_engine(const struct attribution *attribution,
				    const struct engine *engine, const struct exec_view *exec)
{
	const struct engine *outer = attribution->run->engine;
	const struct task *task = attribution_task(attribution);

	if (!outer->tasks_by_pipes || attribution->role == ROLE_ENGINE ||
	    attribution->role == ROLE_SYSTEM || (attribution->root && task && task->announced))
		return NULL;
	if (engine && !engine->fans_out && engine != outer)
		return engine;
	return outer == &engine_session ? own_in_session(attribution, exec) : NULL;
}
