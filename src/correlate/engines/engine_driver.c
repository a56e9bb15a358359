/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/folder.h"
#include "correlate/command/batch_job.h"
#include "correlate/model/run.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/*
 * What people run without an engine: a script, a shell in which they type, one command; make, which
 * is a script in other words; xargs and GNU parallel, which start the same command often. What such
 * a process starts are tasks, told apart by the processes themselves (pipe_tasks.h).
 */

static bool always(const struct exec_view *exec)
{
	return true;
}

static bool every_child(const struct run *run, const struct exec_view *exec)
{
	return true;
}

/* What a batch system wrote for one job: the run is the job, its pipeline what its first tool is,
 * if the path does not say. */
static bool describe_job(struct run *run, const struct exec_view *exec)
{
	struct batch_job job;

	if (!batch_job_of(exec->command->path, &job))
		return false;
	record_set(&run->record.engine, job.system, RECORD_NAME_LIMIT);
	if (*job.pipeline)
		run_set_pipeline(run, job.pipeline, false);
	if (!run->named)
		run_set_name(run, job.id, true);
	return true;
}

/* "bash", "python": what runs it; the script's own name is the pipeline's. */
static void script_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const struct rule *runs = command->depth ? command->through[0].rule : NULL;

	if (describe_job(run, exec))
		return;
	if (runs)
		record_set(&run->record.engine,
			   runs->name ? runs->name : command->through[0].subject,
			   RECORD_NAME_LIMIT);
	run_set_pipeline(run, exec->name, false);
}

static void session_describe(struct run *run, const struct exec_view *exec)
{
	run_set_pipeline(run, "session", false);
}

/* A tool bears its own name; a shell's one command that of the first tool in it. */
static void command_describe(struct run *run, const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	if (!rule || (!rule_is_interpreter(rule) && rule->kind != RULE_LAUNCHER))
		run_set_pipeline(run, exec->name, false);
}

/* A makefile that it reads from its input, or that a configure script made to try things out. */
static bool makes_nothing(const struct command *command)
{
	const char *file = command_option(command->args, command->count, "-f", NULL);

	return file && (strcmp(file, "-") == 0 || text_starts_with(file, "conftest"));
}

/* Not where it only tells something, or runs a tool that is written in it. */
static bool make_begins(const struct exec_view *exec)
{
	static const char *const telling[] = { "-n",      "--just-print", "--dry-run",
					       "--recon", "-q",           "--question",
					       "-v",      "--version",    "-h",
					       "--help",  "-p",           "--print-data-base" };

	if (strcmp(exec->name, "make") != 0 || makes_nothing(exec->command))
		return false;
	for (size_t i = 0; i < exec->command->count; i++)
		for (size_t k = 0; k < sizeof(telling) / sizeof(*telling); k++)
			if (strcmp(exec->command->args[i], telling[k]) == 0)
				return false;
	return true;
}

/* By the makefile's folder, or that of -C. */
static void make_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *cwd = exec->image->cwd ? exec->image->cwd : "";
	const char *folder = command_option(command->args, command->count, "-C", NULL);
	const char *file = command_option(command->args, command->count, "-f", NULL);
	char path[4096], name[RECORD_NAME_LIMIT];

	if (!folder)
		folder = command_option(command->args, command->count, "--directory", NULL);
	(void)snprintf(path, sizeof(path), "%s%s%s", folder ? folder : "", folder ? "/" : "",
		       file ? file : "Makefile");
	folder_name(cwd, path, "make", name, sizeof(name));
	run_set_pipeline(run, name, false);
}

/*
 * GNU parallel calls the shell of its jobs by its path. What it starts for itself goes through
 * Perl's "sh", or through none (seen in version 20221122).
 */
static bool parallel_is_task(const struct run *run, const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	return rule && rule->kind == RULE_SHELL && exec->image->argc > 0 &&
	       exec->image->argv[0][0] == '/' && command_has_code(exec->command);
}

const struct engine engine_script = {
	.name = "script",
	.program = "",
	.tasks_by_pipes = true,
	.begins = always,
	.describe = script_describe,
	.is_task = every_child,
};

const struct engine engine_session = {
	.name = "session",
	.program = "",
	.tasks_by_pipes = true,
	.begins = always,
	.describe = session_describe,
	.is_task = every_child,
};

const struct engine engine_command = {
	.name = "command",
	.program = "",
	.tasks_by_pipes = true,
	.begins = always,
	.describe = command_describe,
	.is_task = every_child,
};

/* A tool that stands alone. */
const struct engine engine_tool = {
	.name = "command",
	.program = "",
	.tasks_by_pipes = true,
	.begins = always,
	.describe = command_describe,
};

const struct engine engine_make = {
	.name = "make",
	.program = "make",
	.tasks_by_pipes = true,
	.begins = make_begins,
	.describe = make_describe,
	.is_task = every_child,
};

const struct engine engine_xargs = {
	.name = "xargs",
	.program = "xargs",
	.tasks_by_pipes = true,
	.fans_out = true,
	.begins = always,
	.describe = command_describe,
	.is_task = every_child,
};

const struct engine engine_parallel = {
	.name = "parallel",
	.program = "parallel",
	.tasks_by_pipes = true,
	.fans_out = true,
	.stands_alone = true,
	.begins = always,
	.describe = command_describe,
	.is_task = parallel_is_task,
};
