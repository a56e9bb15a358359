/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/folder.h"
#include "correlate/command/batch_job.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What runs workflows in WDL: miniwdl and Cromwell. miniwdl 1.16 was seen with strace, Cromwell
 * read in its sources (docs/engines/miniwdl.md). Both give every call a folder that bears its name.
 */
#define MINIWDL_WORK "/work" /* "/work2" from the second attempt on */

static bool wdl_begins(const struct exec_view *exec)
{
	return text_ends_with(exec->name, " run");
}

static bool is_wdl(const char *arg)
{
	return arg[0] != '-' && text_ends_with(arg, ".wdl");
}

/* By the workflow's file; "main.wdl" and "workflow.wdl" by their folder. */
static void wdl_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *cwd = exec->image->cwd ? exec->image->cwd : "", *base;
	char name[RECORD_NAME_LIMIT];
	size_t i = 0;

	while (i < command->count && !is_wdl(command->args[i]))
		i++;
	if (i == command->count)
		return;
	base = text_basename(command->args[i]);
	if (strcmp(base, "main.wdl") == 0 || strcmp(base, "workflow.wdl") == 0)
		folder_name(cwd, command->args[i], base, name, sizeof(name));
	else
		name_copy(base, strlen(base), name, sizeof(name));
	run_set_pipeline(run, name, false);
}

/* miniwdl calls podman by sudo. */
static bool miniwdl_is_shim(const struct exec_view *exec)
{
	return strcmp(exec->command->subject, "sudo") == 0;
}

/* A call's container; not the question for the program's version, nor the pull of an image. */
static bool miniwdl_is_task(const struct run *run, const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	return rule && rule->kind == RULE_LAUNCHER &&
	       (text_ends_with(exec->name, " exec") || text_ends_with(exec->name, " run"));
}

/* Which attempt it is, the folder says that is bound for its work. */
static uint32_t miniwdl_attempt(const struct command *command, const char *folder)
{
	char work[RECORD_NAME_LIMIT];
	size_t len = (size_t)snprintf(work, sizeof(work), "/%.200s" MINIWDL_WORK, folder);

	for (size_t i = 0; i < command->count; i++) {
		const char *at = strstr(command->args[i], work);
		size_t digits = at ? strspn(at + len, "0123456789") : 0;

		if (digits && (at[len + digits] == ':' || at[len + digits] == ','))
			return (uint32_t)strtoul(at + len, NULL, 10);
	}
	return 1;
}

/* It works in "call-NAME", of a scatter in "call-NAME-INDEX-TEXT". */
static void miniwdl_name_task(struct task *task, const struct exec_view *exec)
{
	const char *folder = text_basename(exec->image->cwd ? exec->image->cwd : "");
	const char *base = folder + strlen("call-"), *sample;
	char step[RECORD_NAME_LIMIT];
	size_t len;

	if (task->named || !text_starts_with(folder, "call-"))
		return;
	len = strcspn(base, "-");
	sample = base + len + (base[len] == '-');
	if (isdigit((unsigned char)*sample) && sample[strspn(sample, "0123456789")] == '-')
		sample += strspn(sample, "0123456789") + 1;
	task_set_name(task, name_copy(base, len, step, sizeof(step)), sample);
	task->record.attempt = miniwdl_attempt(exec->command, folder);
}

/* Java's helper, and what puts a call's script into the background. */
static bool cromwell_is_shim(const struct exec_view *exec)
{
	static const char *const shims[] = { "jspawnhelper", "env", "script.background",
					     "script.submit" };

	for (size_t i = 0; i < sizeof(shims) / sizeof(*shims); i++)
		if (strcmp(exec->command->subject, shims[i]) == 0)
			return true;
	return false;
}

/* The script of a call, or the client of the container in which it runs. */
static bool cromwell_call(const struct exec_view *exec, struct batch_call *ret)
{
	const struct command *command = exec->command;

	if (batch_call_of(command->path, ret))
		return true;
	for (size_t i = 0; i < command->count; i++)
		if (text_ends_with(command->args[i], "/script") &&
		    batch_call_of(command->args[i], ret))
			return true;
	return false;
}

static bool cromwell_is_task(const struct run *run, const struct exec_view *exec)
{
	struct batch_call call;

	return cromwell_call(exec, &call);
}

static void cromwell_name_task(struct task *task, const struct exec_view *exec)
{
	struct batch_call call;

	if (task->named || !cromwell_call(exec, &call))
		return;
	task_set_name(task, call.name, call.shard);
	task->record.attempt = call.attempt;
}

const struct engine engine_miniwdl = {
	.name = "miniwdl",
	.program = "miniwdl",
	.begins = wdl_begins,
	.describe = wdl_describe,
	.is_task = miniwdl_is_task,
	.is_shim = miniwdl_is_shim,
	.name_task = miniwdl_name_task,
};

const struct engine engine_cromwell = {
	.name = "cromwell",
	.program = "cromwell",
	.parts_fail = true,
	.begins = wdl_begins,
	.describe = wdl_describe,
	.is_task = cromwell_is_task,
	.is_shim = cromwell_is_shim,
	.name_task = cromwell_name_task,
};
