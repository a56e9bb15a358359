/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/tree/job.h"
#include "correlate/model/run.h"

#include <stdio.h>
#include <string.h>

/*
 * A job of Slurm: its script drives what it starts as any script does (pipe_tasks.h), its steps and
 * an array's elements are tasks by themselves (job.h). Seen in Slurm 22.05 (docs/engines/slurm.md).
 */

static bool never(const struct exec_view *exec)
{
	return false;
}

static bool every_child(const struct run *run, const struct exec_view *exec)
{
	return true;
}

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

const struct engine engine_slurm = {
	.name = "slurm",
	.program = "",
	.tasks_by_pipes = true,
	.begins = never,
	.describe = slurm_describe,
	.is_task = every_child,
};
