/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/run_root.h"

#include "correlate/command/container_run.h"
#include "correlate/engines/engine.h"
#include "correlate/command/system.h"

#include "base/text.h"

#include <string.h>

/* What an ancestor is in the search. */
enum kin {
	KIN_FOREIGN,   /* a service or another program: the search ends here */
	KIN_SYSTEM,    /* a package manager, cron's helper …: no run begins below it */
	KIN_ENGINE,    /* a run of its own */
	KIN_SCHEDULER, /* its daemon: what it starts is a job's */
	KIN_JOB,       /* what a job was given as its script */
	KIN_CLIENT,    /* by which a job has its steps started */
	KIN_LAUNCHER,  /* only started the next */
	KIN_SCRIPT,
	KIN_COMMAND, /* a shell or interpreter with a program text */
	KIN_READER,  /* a shell that reads its commands from elsewhere: a session, unless a script's
		      */
	KIN_SESSION, /* a shell or interpreter in which people type */
	KIN_TOOL,
	KIN_CONTAINER, /* asks a daemon to run one */
};

/* Programs in which people type, though not at a terminal. */
static bool is_notebook(const struct command *command)
{
	static const char *const kernels[] = { "ipykernel_launcher", "ipykernel", "rsession" };

	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		if (strcmp(command->subject, kernels[i]) == 0)
			return true;
	return false;
}

static enum kin kin_of_rule(const struct ancestor *ancestor, const struct command *command)
{
	struct container_run run;

	if (container_run_read(command, &run))
		return KIN_CONTAINER;
	switch (command->rule->kind) {
	case RULE_LAUNCHER:
	case RULE_HELPER:
		return KIN_LAUNCHER;
	case RULE_SHELL:
	case RULE_INTERPRETER:
		if (ancestor->terminal && !command_has_code(command))
			return KIN_SESSION;
		return shell_reads(command) ? KIN_READER : KIN_COMMAND;
	default:
		return KIN_TOOL;
	}
}

/* first: the command itself, not one above it. */
static enum kin kin_of(const struct rules *rules, const struct ancestor *ancestor, bool first)
{
	static const struct rule_context unknown;
	const struct engine *engine;
	struct command command;

	if (engine_of_job_daemon(ancestor->exe))
		return KIN_SCHEDULER;
	command_unwrap(rules, ancestor->exe, ancestor->argv, ancestor->argc, &unknown, &command);
	if (engine_of_job_script(&command))
		return KIN_JOB;
	if (engine_of_job_client(&command))
		return KIN_CLIENT;
	if (is_notebook(&command))
		return KIN_SESSION;
	engine = engine_of(&command);
	if (engine && engine->fans_out)
		return first && engine->stands_alone ? KIN_TOOL : KIN_LAUNCHER;
	if (engine)
		return KIN_ENGINE;
	if (rules_tracking(rules, command.subject) == RULE_NEVER)
		return KIN_FOREIGN;
	if (system_is(&command, ancestor->argc > 0 ? ancestor->argv[0] : NULL))
		return KIN_SYSTEM;
	if (command.rule)
		return kin_of_rule(ancestor, &command);
	return command.depth > 0 && !system_has_script(command.path) ? KIN_SCRIPT : KIN_FOREIGN;
}

/* Whether the script at index is a program of the system's that init started, a service. */
static bool is_service(const struct rules *rules, const struct ancestor *ancestors, size_t count,
		       size_t index)
{
	static const struct rule_context unknown;
	const struct ancestor *script = &ancestors[index];
	struct command command;

	if (index + 1 < count ? strcmp(text_basename(ancestors[index + 1].exe), "systemd") != 0
			      : count == RUN_ROOT_DEPTH)
		return false;
	command_unwrap(rules, script->exe, script->argv, script->argc, &unknown, &command);
	return system_has_program(command.path);
}

/* The candidates that were found so far. */
struct found {
	struct run_root script, reader, command;
};

/* Chooses the root: a script before a shell that reads its commands, and that before a single
 * command. alone: only the command itself was examined, and it may be a service. */
static struct run_root choose(const struct found *found, bool alone)
{
	if (found->script.kind && !alone)
		return found->script;
	return found->reader.kind ? found->reader : found->command;
}

static void note(struct found *found, enum kin kin, size_t index)
{
	if (kin == KIN_SCRIPT)
		found->script = (struct run_root){ RUN_ROOT_SCRIPT, index };
	else if (kin == KIN_READER && !found->reader.kind)
		found->reader = (struct run_root){ RUN_ROOT_SESSION, index };
	else if (kin == KIN_COMMAND || (index == 0 && kin != KIN_ENGINE))
		found->command = (struct run_root){ RUN_ROOT_COMMAND, index };
}

/* Whether the search ends below an ancestor of this kind. */
static bool ends(enum kin kin)
{
	return kin == KIN_FOREIGN || kin == KIN_ENGINE || kin == KIN_TOOL;
}

static struct run_root search(const struct rules *rules, const struct ancestor *ancestors,
			      size_t count)
{
	static const struct run_root none;
	struct found found = { 0 };
	bool alone = true;

	for (size_t i = 0; i < count; i++) {
		enum kin kin = kin_of(rules, &ancestors[i], i == 0);

		if (i == 0 && (kin == KIN_LAUNCHER || kin == KIN_COMMAND || kin == KIN_READER))
			break;
		if (kin == KIN_JOB || (kin == KIN_SCHEDULER && i > 0))
			return (struct run_root){ RUN_ROOT_JOB, i - (kin == KIN_SCHEDULER) };
		if (kin == KIN_SYSTEM)
			return none;
		if (kin == KIN_CONTAINER && i > 0)
			continue;
		if (kin == KIN_FOREIGN || (ends(kin) && i > 0))
			break;
		if (kin == KIN_SESSION && !found.script.kind && !found.reader.kind)
			return (struct run_root){ RUN_ROOT_SESSION, i };
		alone = alone && i == 0;
		if (kin == KIN_SESSION)
			break;
		note(&found, kin, i);
	}
	if (found.script.kind && is_service(rules, ancestors, count, found.script.index))
		return none;
	return choose(&found, alone);
}

/* Whether it is a job that an engine elsewhere handed to a scheduler: a part of that one's run. */
static bool is_engines_job(const struct engine *engine, const struct exec_view *exec)
{
	char folder[4096];
	bool part = false;

	return engine_of_job(exec) ||
	       (engine->share && engine->share(exec, folder, sizeof(folder), &part) && part);
}

/* Whether the engine's command line begins a run: `tracer report` and `nextflow -version` are none,
 * and a job of a run elsewhere is a part of that. They make no run of the script that calls them.
 */
static bool begins_run(const struct rules *rules, const struct ancestor *ancestor)
{
	static const struct rule_context unknown;
	struct tree_image image = { .exe = ancestor->exe,
				    .cwd = "/",
				    .user = "",
				    .argv = ancestor->argv,
				    .argc = ancestor->argc };
	struct command command;
	struct exec_view exec = { .image = &image, .command = &command };
	const struct engine *engine;

	command_unwrap(rules, ancestor->exe, ancestor->argv, ancestor->argc, &unknown, &command);
	command_name(&command, exec.name, sizeof(exec.name));
	engine = engine_of(&command);
	return engine && engine_begins(engine, &exec) && !is_engines_job(engine, &exec);
}

/* An engine is a run by itself: only a script above it can be its root. */
static struct run_root search_above(const struct rules *rules, const struct ancestor *ancestors,
				    size_t count)
{
	struct run_root found = { 0 };

	if (begins_run(rules, &ancestors[0]))
		found = search(rules, ancestors, count);
	return found.kind == RUN_ROOT_SCRIPT ? found : (struct run_root){ 0 };
}

struct run_root run_root_find(const struct rules *rules, const struct ancestor *ancestors,
			      size_t count)
{
	enum kin kin = kin_of(rules, &ancestors[0], true);
	struct run_root found = kin == KIN_ENGINE ? search_above(rules, ancestors, count)
						  : search(rules, ancestors, count);

	/* What srun starts may run on another host: srun itself only belongs to its job. */
	if (found.kind != RUN_ROOT_JOB && kin == KIN_CLIENT)
		found = (struct run_root){ 0 };
	return found;
}

bool run_root_is_candidate(const struct rules *rules, const struct ancestor *command)
{
	enum kin kin = kin_of(rules, command, true);

	return kin == KIN_TOOL || kin == KIN_SCRIPT || kin == KIN_SESSION || kin == KIN_CONTAINER ||
	       kin == KIN_CLIENT || kin == KIN_JOB || kin == KIN_ENGINE;
}

bool run_root_is_upkeep(const struct rules *rules, const struct ancestor *ancestor)
{
	return kin_of(rules, ancestor, false) == KIN_SYSTEM;
}

bool run_root_is_unrelated(const struct rules *rules, const struct ancestor *ancestor)
{
	enum kin kin = kin_of(rules, ancestor, false);

	return ends(kin) || kin == KIN_SCHEDULER;
}

bool run_root_is_engine(const struct rules *rules, const struct ancestor *ancestor)
{
	static const struct rule_context unknown;
	const struct engine *engine;
	struct command command;

	command_unwrap(rules, ancestor->exe, ancestor->argv, ancestor->argc, &unknown, &command);
	engine = engine_of(&command);
	return engine && !engine->tasks_by_pipes;
}

bool run_root_is_scheduler(const struct ancestor *ancestor)
{
	return engine_of_job_daemon(ancestor->exe);
}
