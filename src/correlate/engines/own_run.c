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

static bool is_script_of(const struct sight *sight, bool of_shell)
{
	const struct command *command = sight->command;

	return !command->rule && command->depth > 0 &&
	       is_shell(command->through[command->depth - 1].rule) == of_shell;
}

bool tree_is_own_work(const struct engine *engine, const struct sight *sight)
{
	const struct command *command = sight->command;

	if (engine == &engine_slurm) /* whatever its copy of the script is called */
		return command->depth > 0 && !is_shell(command->through[command->depth - 1].rule);
	return !engine->is_task || is_script_of(sight, false) ||
	       (engine == &engine_session && !is_shell(sight->command->rule));
}

bool own_run_is_systems(const struct sight *sight)
{
	const struct rule *rule = sight->command->rule;
	const struct tree_image *image = sight->image;

	if (rule && (rule->kind == RULE_TOOL || rule->kind == RULE_SHELL))
		return false;
	return system_is(sight->command, image->argc > 0 ? image->argv[0] : NULL);
}

/* A shell in which people type, or that reads its commands from elsewhere. */
static bool is_session(const struct sight *sight)
{
	return shell_reads(sight->command);
}

/* What in a session is a run of its own besides engines: scripts and a further session, also behind
 * launchers (sudo -i, tmux). */
static const struct engine *own_in_session(const struct place *place, const struct sight *sight)
{
	const struct task *task = place_task(place);

	if (task ? task->announced : place->role != ROLE_FORK)
		return NULL;
	if (is_session(sight))
		return &engine_session;
	if (!is_script_of(sight, true) && !is_script_of(sight, false))
		return NULL;
	return own_run_is_systems(sight) ? NULL : &engine_script;
}

const struct engine *own_run_engine(const struct place *place, const struct engine *engine,
				    const struct sight *sight)
{
	const struct engine *outer = place->run->engine;
	const struct task *task = place_task(place);

	if (!outer->driver || place->role == ROLE_ENGINE || place->role == ROLE_SYSTEM ||
	    (place->root && task && task->announced))
		return NULL;
	if (engine && !engine->fans_out && engine != outer)
		return engine;
	return outer == &engine_session ? own_in_session(place, sight) : NULL;
}
