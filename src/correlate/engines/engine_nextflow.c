/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/batch_job.h"
#include "correlate/command/folder.h"
#include "correlate/tree/job.h"
#include "correlate/model/run.h"
#include "correlate/label/sample.h"
#include "correlate/command/script_request.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What Nextflow does was seen in version 24.10.0 (docs/engines/nextflow.md). Its tasks are `bash …
 * .command.run` in a folder of their own; that file's head, which Nextflow writes, contains the
 * task's name.
 */
#define TASK_FILE  ".command.run"
#define HEAD_BEGIN "### ---"
#define HEAD_END   "### ..."
#define HEAD_NAME  "### name: '"

#define DIGITS             "0123456789abcdef"
#define TASK_FOLDER_DIGITS 30

/* Options of `nextflow run` that take the next argument as their value. */
static const char *const valued[] = {
	"-name",        "-profile",       "-r",         "-revision",    "-w",
	"-work-dir",    "-params-file",   "-c",         "-C",           "-config",
	"-qs",          "-queue-size",    "-entry",     "-main-script", "-lib",
	"-bucket-dir",  "-hub",           "-user",      "-d",           "-deep",
	"-dump-hashes", "-poll-interval", "-pool-size", "-test",
};

static bool takes_value(const char *arg)
{
	for (size_t i = 0; i < sizeof(valued) / sizeof(*valued); i++)
		if (strcmp(arg, valued[i]) == 0)
			return true;
	return text_starts_with(arg, "--") && !strchr(arg, '=');
}

/* The arguments behind the word "run"; NULL: it is another subcommand. */
static const char *const *run_args(const struct command *command, size_t *ret_count)
{
	for (size_t i = 0; i < command->count; i++)
		if (strcmp(command->args[i], "run") == 0) {
			*ret_count = command->count - i - 1;
			return command->args + i + 1;
		}
	return NULL;
}

static bool nextflow_begins(const struct exec_view *exec)
{
	const char *subcommand = strchr(exec->name, ' ');
	size_t count;

	return subcommand && strcmp(subcommand, " run") == 0 && run_args(exec->command, &count) &&
	       count > 0;
}

/* The project: what is no option and no option's value. */
static const char *project_of(const char *const *args, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (args[i][0] != '-')
			return args[i];
		if (takes_value(args[i]) && i + 1 < count && args[i + 1][0] != '-')
			i++;
	}
	return NULL;
}

/* Names the project: "main.nf" by its folder, "align.nf" as it is, "nf-core/rnaseq" and URLs by
 * owner and name. */
static void name_project(const char *project, const char *cwd, char *name, size_t size)
{
	const char *base = text_basename(project);
	const char *owner = base;
	size_t len = strlen(project);

	if (strcmp(base, "main.nf") == 0 || *project == '.' || *project == '/') {
		bool file = len > 3 && strcmp(project + len - 3, ".nf") == 0;
		char path[4096];

		snprintf(path, sizeof(path), file ? "%s" : "%s/main.nf", project);
		if (!file || strcmp(base, "main.nf") == 0) {
			folder_name(cwd, path, "nextflow", name, size);
			return;
		}
		name_copy(base, strlen(base), name, size);
		return;
	}
	if (strstr(project, "://")) { /* the folder before the name */
		if (owner > project + 1)
			owner--;
		while (owner > project && owner[-1] != '/')
			owner--;
		project = owner;
		len = strlen(project);
	}
	if (len > 4 && strcmp(project + len - 4, ".git") == 0)
		len -= 4;
	name_copy(project, len, name, size);
}

/* Bytes of the folder that a task's folder lies in, "WORK/ab/cdef…30 digits"; 0: it is none. */
static size_t work_len(const char *cwd)
{
	size_t len = strlen(cwd), tail = 3 + 1 + TASK_FOLDER_DIGITS; /* "/ab/…" */
	const char *at = cwd + len - tail;

	if (len <= tail || at[0] != '/' || at[3] != '/' || strspn(at + 1, DIGITS) != 2 ||
	    strspn(at + 4, DIGITS) != TASK_FOLDER_DIGITS)
		return 0;
	return len - tail;
}

static const char *nextflow_own_folder(const char *path)
{
	size_t len = work_len(path);

	return len ? path + len + 1 : NULL;
}

/* A job runs the task's script in the task's folder: a copy of it (by Slurm, under any name, or by
 * another batch system), or the script itself (in a pod). Inside a task the script is called with
 * an argument. */
static bool nextflow_is_job(const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const struct job *job = exec->image->job;
	struct batch_job batch;

	if (!exec->image->cwd || !work_len(exec->image->cwd))
		return false;
	if (exec->image->root_kind == RUN_ROOT_JOB)
		return job && !*job->step;
	return exec->image->root_kind == RUN_ROOT_SCRIPT &&
	       ((strcmp(command->subject, TASK_FILE) == 0 && command->count == 0) ||
		batch_job_of(command->path, &batch));
}

/* The work folder. Where the environment or a configuration says another, it is known with the
 * first task. */
static bool nextflow_share(const struct exec_view *exec, char *ret_folder, size_t size,
			   bool *ret_part)
{
	const char *cwd = exec->image->cwd ? exec->image->cwd : "";
	size_t count = 0;
	const char *const *args = run_args(exec->command, &count);
	const char *folder = args ? command_option(args, count, "-w", NULL) : NULL;

	*ret_part = nextflow_is_job(exec);
	if (*ret_part) {
		(void)snprintf(ret_folder, size, "%.*s", (int)work_len(cwd), cwd);
		return work_len(cwd) < size;
	}
	if (!folder && args)
		folder = command_option(args, count, "-work-dir", NULL);
	return folder_join(cwd, folder ? folder : "work", ret_folder, size);
}

/* Of a job all that is known is the work folder: it, or what its "work" lies in. */
static void describe_job(struct run *run, const struct exec_view *exec)
{
	const char *cwd = exec->image->cwd;
	size_t len = work_len(cwd);
	bool plain = len > 5 && memcmp(cwd + len - 5, "/work", 5) == 0;
	char path[RECORD_COMMAND_LIMIT], name[RECORD_NAME_LIMIT];

	(void)snprintf(path, sizeof(path), plain ? "%.*s" : "%.*s/main.nf", (int)len, cwd);
	folder_name(cwd, path, "nextflow", name, sizeof(name));
	run_set_pipeline(run, name, false);
}

/* "-qs 4": how many tasks it may run, or have handed over, at once. */
static uint32_t limit_of(const char *const *args, size_t count)
{
	const char *limit = command_option(args, count, "-qs", NULL);

	if (!limit)
		limit = command_option(args, count, "-queue-size", NULL);
	return limit ? (uint32_t)strtoul(limit, NULL, 10) : 0;
}

static void nextflow_describe(struct run *run, const struct exec_view *exec)
{
	size_t count = 0;
	const char *const *args = run_args(exec->command, &count);
	const char *project = args ? project_of(args, count) : NULL;
	const char *name = args ? command_option(args, count, "-name", NULL) : NULL;
	char pipeline[RECORD_NAME_LIMIT];

	run->record.task_limit = args ? limit_of(args, count) : 0;
	if (nextflow_is_job(exec))
		describe_job(run, exec);
	if (project) {
		name_project(project, exec->image->cwd ? exec->image->cwd : "", pipeline,
			     sizeof(pipeline));
		run_set_pipeline(run, pipeline, false);
	}
	if (name && !run->named) /* by `tracer run` */
		run_set_name(run, name, true);
}

/* A job that it gave to a scheduler runs in a task's folder inside its work folder. */
static bool nextflow_handed(const struct run *run, const struct exec_view *exec)
{
	const char *cwd = exec->image->cwd ? exec->image->cwd : "";
	size_t len = work_len(cwd);

	return len && nextflow_is_job(exec) && !run->part && run->folder &&
	       strlen(run->folder) == len && memcmp(cwd, run->folder, len) == 0;
}

/* By which Java starts programs. */
static bool nextflow_is_shim(const struct exec_view *exec)
{
	return strcmp(exec->command->subject, "jspawnhelper") == 0;
}

static bool nextflow_is_task(const struct run *run, const struct exec_view *exec)
{
	return strcmp(exec->command->subject, TASK_FILE) == 0;
}

/* "ALIGN (liver_1)": step and sample. */
static void set_name(struct task *task, const char *name, size_t len)
{
	char step[RECORD_NAME_LIMIT], sample[SAMPLE_SIZE] = "";
	const char *open = memmem(name, len, " (", 2);

	if (open && open > name && name[len - 1] == ')') {
		size_t begin = (size_t)(open - name) + 2;

		name_copy(name + begin, len - begin - 1, sample, sizeof(sample));
		len = begin - 2;
	}
	task_set_name(task, name_copy(name, len, step, sizeof(step)), sample);
}

/* What the process asked for, where Nextflow wrote it down: with the local executor and without a
 * container it does not. */
static void read_request(struct task *task, const char *text)
{
	struct request request = script_request(text);

	if (request.cpus <= 0 && !request.memory_bytes)
		return;
	if (strcmp(task->record.requested_by, "cgroup") == 0) { /* what it got, not what it asked */
		task->record.cpus_requested = 0;
		task->record.memory_requested_bytes = 0;
	}
	(void)task_request(task, request, "nextflow");
}

/* The line of the name, between the head's marks, and what was asked for; nothing else of the file.
 */
static void nextflow_read_task(struct task *task, const char *text)
{
	const char *at = strstr(text, HEAD_BEGIN "\n");
	const char *end = at ? strstr(at, "\n" HEAD_END) : NULL;
	const char *line_end;

	read_request(task, text);
	at = end ? strstr(at, "\n" HEAD_NAME) : NULL;
	if (!at || at > end)
		return;
	at += strlen("\n" HEAD_NAME);
	line_end = at + strcspn(at, "\n");
	if (line_end - at > 1 && line_end[-1] == '\'')
		set_name(task, at, (size_t)(line_end - at) - 1);
}

const struct engine engine_nextflow = {
	.name = "nextflow",
	.program = "nextflow",
	.begins = nextflow_begins,
	.describe = nextflow_describe,
	.share = nextflow_share,
	.is_task = nextflow_is_task,
	.is_shim = nextflow_is_shim,
	.handed = nextflow_handed,
	.is_job = nextflow_is_job,
	.own_folder = nextflow_own_folder,
	.task_file = TASK_FILE,
	.read_task = nextflow_read_task,
};
