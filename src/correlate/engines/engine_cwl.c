/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/folder.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/*
 * What runs workflows in CWL: cwltool, and Toil's runners. Seen with strace in cwltool 3.1 and Toil
 * 5.9 of Debian 12 (docs/engines/cwltool.md).
 */
#define WORKER "_toil_worker "

/* Options after which they tell something and run nothing. */
static bool only_tells(const char *arg)
{
	static const char *const telling[] = {
		"--version",      "--help",           "-h",
		"--validate",     "--pack",           "--print-deps",
		"--print-rdf",    "--print-dot",      "--print-pre",
		"--graph",        "--print-subgraph", "--print-input-deps",
		"--make-template"
	};

	for (size_t i = 0; i < sizeof(telling) / sizeof(*telling); i++)
		if (strcmp(arg, telling[i]) == 0)
			return true;
	return false;
}

static bool cwl_begins(const struct exec_view *exec)
{
	for (size_t i = 0; i < exec->command->count; i++)
		if (only_tells(exec->command->args[i]))
			return false;
	return exec->command->count > 0;
}

/* "align.cwl", "/x/align.wdl", "align.cwl#main": the length of the file's part; 0: no workflow. */
static size_t workflow_len(const char *arg)
{
	size_t len = strcspn(arg, "#");

	return arg[0] != '-' && len > 4 &&
			       (strncmp(arg + len - 4, ".cwl", 4) == 0 ||
				strncmp(arg + len - 4, ".wdl", 4) == 0)
		       ? len
		       : 0;
}

/* By the workflow's file; "main.cwl" and "workflow.cwl" by their folder. */
static void cwl_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *cwd = exec->image->cwd ? exec->image->cwd : "", *base;
	char path[4096], name[RECORD_NAME_LIMIT];
	size_t len = 0, i = 0;

	while (i < command->count && !(len = workflow_len(command->args[i])))
		i++;
	if (!len)
		return;
	(void)snprintf(path, sizeof(path), "%.*s", (int)len, command->args[i]);
	base = text_basename(path);
	if (text_starts_with(base, "main.") || text_starts_with(base, "workflow."))
		folder_name(cwd, path, base, name, sizeof(name));
	else
		name_copy(base, strlen(base), name, sizeof(name));
	run_set_pipeline(run, name, false);
}

/* A program of a list. */
static bool is_one_of(const char *subject, const char *const *names)
{
	while (*names && strcmp(subject, *names) != 0)
		names++;
	return *names != NULL;
}

/* cwltool asks Node.js to evaluate expressions, and containers' programs about themselves; a job's
 * own such program runs something. */
static bool cwltool_is_task(const struct run *run, const struct exec_view *exec)
{
	static const char *const nodes[] = { "node", "nodejs", NULL };
	static const char *const containers[] = { "docker",    "podman",  "singularity",
						  "apptainer", "udocker", NULL };
	const char *subject = exec->command->subject;

	if (is_one_of(subject, nodes))
		return false;
	return !is_one_of(subject, containers) || text_ends_with(exec->name, " run") ||
	       text_ends_with(exec->name, " exec");
}

/* The job that a worker is started for; NULL: it is none. */
static const char *worker_job(const struct exec_view *exec, size_t *ret_len)
{
	const struct command *command = exec->command;
	const char *text = NULL;

	if (strcmp(command->subject, "_toil_worker") == 0 && command->count > 0)
		text = command->args[0];
	for (size_t i = 0; command_has_code(command) && i < command->count && !text; i++)
		if (text_starts_with(command->args[i], WORKER))
			text = command->args[i] + strlen(WORKER);
	*ret_len = text ? strcspn(text, " ") : 0;
	return text;
}

/* Toil's own jobs by which a workflow goes on: they run nothing of the user's. */
static bool toil_is_task(const struct run *run, const struct exec_view *exec)
{
	static const char *const own[] = { "CWLWorkflow",     "CWLScatter",    "CWLGather",
					   "ResolveIndirect", "CWLJobWrapper", NULL };
	char name[RECORD_NAME_LIMIT];
	size_t len;
	const char *job = worker_job(exec, &len);

	return job && !is_one_of(name_copy(job, len, name, sizeof(name)), own);
}

/* A worker, and that it looks how much a job has written. */
static bool toil_is_wrapper(const struct exec_view *exec)
{
	size_t len;

	return worker_job(exec, &len) ||
	       (strcmp(exec->command->subject, "du") == 0 && exec->command->count == 2 &&
		strcmp(exec->command->args[0], "-s") == 0);
}

/* Jobs in Python bear their names; those of CWL are all called alike, and named by their tools. */
static void toil_name_task(struct task *task, const struct exec_view *exec)
{
	char name[RECORD_NAME_LIMIT];
	size_t len;
	const char *job = worker_job(exec, &len);

	if (job && !task->named && !text_starts_with(job, "CWL"))
		task_set_name(task, name_copy(job, len, name, sizeof(name)), "");
}

const struct engine engine_cwltool = {
	.name = "cwltool",
	.program = "cwltool",
	.begins = cwl_begins,
	.describe = cwl_describe,
	.is_task = cwltool_is_task,
};

const struct engine engine_toil = {
	.name = "toil",
	.program = "toil-cwl-runner",
	.begins = cwl_begins,
	.describe = cwl_describe,
	.is_task = toil_is_task,
	.is_wrapper = toil_is_wrapper,
	.name_task = toil_name_task,
};
