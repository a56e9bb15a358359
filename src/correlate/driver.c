#include "correlate/driver.h"

#include "correlate/container_run.h"
#include "correlate/engine.h"

#include "base/text.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* What an ancestor is to those below it. */
enum kin {
	KIN_STRANGER,  /* a service, a program of its own: whose run it is ends here */
	KIN_SCHEDULER, /* its daemon: what it starts is a job's */
	KIN_JOB,       /* what a job was given as its script */
	KIN_CLIENT,    /* by which a job has its steps started */
	KIN_LAUNCHER,  /* only started the next */
	KIN_SCRIPT,
	KIN_COMMAND, /* a shell with a program text, or one that reads it from elsewhere */
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

/* A script that came with the system: services, what cron starts for packages. */
static bool is_systems(const char *path)
{
	static const char *const folders[] = { "/usr/lib/",  "/usr/libexec/", "/usr/share/",
					       "/usr/sbin/", "/lib/",         "/sbin/",
					       "/etc/" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (text_starts_with(path, folders[i]))
			return true;
	return false;
}

/* Debian's is called slurmstepd-wlm. */
static bool is_scheduler(const char *exe)
{
	return text_starts_with(text_basename(exe), "slurmstepd");
}

/* slurmd's copy of what sbatch was given, "…/job00012/slurm_script". */
static bool is_job_script(const struct command *command)
{
	static const char folder[] = "/job";
	const char *name = strrchr(command->path, '/'), *at = name;

	if (!name || strcmp(name, "/slurm_script") != 0)
		return false;
	while (at > command->path && isdigit((unsigned char)at[-1]))
		at--;
	return at < name && at - command->path >= (ptrdiff_t)strlen(folder) &&
	       strncmp(at - strlen(folder), folder, strlen(folder)) == 0;
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
		return ancestor->terminal && !command_has_code(command) ? KIN_SESSION : KIN_COMMAND;
	default:
		return KIN_TOOL;
	}
}

/* first: the command itself, not one above it. */
static enum kin kin_of(const struct rules *rules, const struct ancestor *ancestor, bool first)
{
	static const struct scene unknown;
	const struct engine *engine;
	struct command command;

	if (is_scheduler(ancestor->exe))
		return KIN_SCHEDULER;
	command_unwrap(rules, ancestor->exe, ancestor->argv, ancestor->argc, &unknown, &command);
	if (command.depth > 0 && is_job_script(&command))
		return KIN_JOB;
	if (strcmp(command.subject, "srun") == 0)
		return KIN_CLIENT;
	if (is_notebook(&command))
		return KIN_SESSION;
	engine = engine_of(&command);
	if (engine && engine->fans_out)
		return first && engine->stands_alone ? KIN_TOOL : KIN_LAUNCHER;
	if (engine || rules_tracking(rules, command.subject) == RULE_NEVER)
		return KIN_STRANGER;
	if (command.rule)
		return kin_of_rule(ancestor, &command);
	return command.depth > 0 && !is_systems(command.path) ? KIN_SCRIPT : KIN_STRANGER;
}

static struct driver search(const struct rules *rules, const struct ancestor *ancestors,
			    size_t count)
{
	struct driver script = { 0 }, command = { 0 };
	bool alone = true; /* nothing but itself so far */

	for (size_t i = 0; i < count; i++) {
		enum kin kin = kin_of(rules, &ancestors[i], i == 0);

		if (i == 0 && (kin == KIN_LAUNCHER || kin == KIN_COMMAND))
			break;
		if (kin == KIN_JOB || (kin == KIN_SCHEDULER && i > 0))
			return (struct driver){ TREE_JOB, i - (kin == KIN_SCHEDULER) };
		if (kin == KIN_CONTAINER && i > 0)
			continue;
		if (kin == KIN_STRANGER || (kin == KIN_TOOL && i > 0))
			break;
		if (kin == KIN_SESSION)
			return script.kind ? script : (struct driver){ TREE_SESSION, i };
		if (kin == KIN_SCRIPT)
			script = (struct driver){ TREE_SCRIPT, i };
		else if (kin == KIN_COMMAND || i == 0)
			command = (struct driver){ TREE_COMMAND, i };
		alone = alone && i == 0;
	}
	/* A service is a script, too, and stands alone. */
	if (script.kind && !alone)
		return script;
	return command;
}

struct driver driver_of(const struct rules *rules, const struct ancestor *ancestors, size_t count)
{
	struct driver found = search(rules, ancestors, count);

	/* What srun starts is elsewhere: it only tells of the job that it is in. */
	if (found.kind != TREE_JOB && kin_of(rules, &ancestors[0], true) == KIN_CLIENT)
		found = (struct driver){ 0 };
	return found;
}

bool driver_begins(const struct rules *rules, const struct ancestor *command)
{
	enum kin kin = kin_of(rules, command, true);

	return kin == KIN_TOOL || kin == KIN_SCRIPT || kin == KIN_SESSION || kin == KIN_CONTAINER ||
	       kin == KIN_CLIENT || kin == KIN_JOB;
}

bool driver_is_stranger(const struct rules *rules, const struct ancestor *ancestor)
{
	enum kin kin = kin_of(rules, ancestor, false);

	return kin == KIN_STRANGER || kin == KIN_TOOL || kin == KIN_SCHEDULER;
}

bool driver_is_engine(const struct rules *rules, const struct ancestor *ancestor)
{
	static const struct scene unknown;
	const struct engine *engine;
	struct command command;

	command_unwrap(rules, ancestor->exe, ancestor->argv, ancestor->argc, &unknown, &command);
	engine = engine_of(&command);
	return engine && !engine->driver;
}

bool driver_starts_jobs(const struct ancestor *ancestor)
{
	return is_scheduler(ancestor->exe);
}
