/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/batch_job.h"
#include "correlate/engines/shared/plain_run.h"
#include "correlate/model/run.h"

/* A script that people run without an engine, or that a batch system runs (docs/engines/scripts.md,
 * docs/engines/batch.md). */

/* A batch system writes one script for each job: the run is the job. Its pipeline is named by the
 * path, or else after its first tool. */
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

/* The record's engine is the interpreter ("bash", "python"), its pipeline the script's name. */
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

const struct engine engine_script = {
	.name = "script",
	.reported = REPORT_FROM_ROOT,
	.tasks_by_pipes = true,
	.root_kind = RUN_ROOT_SCRIPT,
	.wraps_engine = true,
	.describe = script_describe,
	.is_task = plain_run_is_task,
};
