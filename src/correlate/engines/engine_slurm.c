/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/plain_run.h"
#include "correlate/model/run.h"
#include "correlate/tree/job.h"

#include "base/text.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/*
 * A job of Slurm. The tasks of its script are distinguished as those of any script (pipe_tasks.h);
 * its steps, and the elements of an array, are one task each (job.h). Seen in Slurm 22.05
 * (docs/engines/slurm.md).
 */

static void slurm_describe(struct run *run, const struct exec_view *exec)
{
	const struct job *job = exec->image->job;
	const char *id = *job->array ? job->array : job->id;
	const char *pipeline = *job->name ? job->name : "slurm";
	char name[RECORD_NAME_LIMIT];

	run_set_pipeline(run, pipeline, false);
	(void)snprintf(name, sizeof(name), "%s-%s", pipeline, id);
	run_set_name(run, name, true);
	(void)run_add_to_label(run, "slurm_job_id", id);
	if (*job->cluster)
		(void)run_add_to_label(run, "slurm_cluster", job->cluster);
	run->job_named = *job->name;
}

/* Whatever slurmd's copy of the script is called. */
static bool slurm_is_work(const struct exec_view *exec)
{
	const struct rule *interpreter = command_interpreter(exec->command);

	return interpreter && interpreter->kind != RULE_SHELL;
}

/* Debian calls it slurmstepd-wlm. */
static bool slurm_is_job_daemon(const char *exe)
{
	return text_starts_with(text_basename(exe), "slurmstepd");
}

/* slurmd's copy of the script that sbatch was given: "…/job00012/slurm_script". */
static bool slurm_is_job_script(const struct command *command)
{
	static const char folder[] = "/job";
	const char *name = strrchr(command->path, '/'), *at = name;

	if (command->depth == 0 || !name || strcmp(name, "/slurm_script") != 0)
		return false;
	while (at > command->path && isdigit((unsigned char)at[-1]))
		at--;
	return at < name && at - command->path >= (ptrdiff_t)strlen(folder) &&
	       strncmp(at - strlen(folder), folder, strlen(folder)) == 0;
}

const struct engine engine_slurm = {
	.name = "slurm",
	.reported = REPORT_FROM_TASK,
	.tasks_by_pipes = true,
	.root_kind = RUN_ROOT_JOB,
	.is_work = slurm_is_work,
	.describe = slurm_describe,
	.is_task = plain_run_is_task,
	.is_scheduler = true,
	.is_job_daemon = slurm_is_job_daemon,
	.is_job_script = slurm_is_job_script,
	.job_client = "srun",
	.nodes_label = "slurm_nodes",
};
