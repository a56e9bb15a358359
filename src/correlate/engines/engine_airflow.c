/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/model/run.h"
#include "correlate/model/task.h"

#include <stdio.h>
#include <string.h>

/* Airflow: its daemon starts a process for each task. Seen with strace in version 2.10
 * (docs/engines/airflow.md). */

/* `airflow tasks run DAG TASK RUN_ID`: the words behind "run"; NULL: it is none. */
static const char *const *airflow_task(const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *const *args = command->args;

	if (command->count < 5 || strcmp(command->subject, "airflow") != 0 ||
	    strcmp(args[0], "tasks") != 0 || strcmp(args[1], "run") != 0)
		return NULL;
	for (size_t i = 2; i < 5; i++)
		if (args[i][0] == '-')
			return NULL;
	return args + 2;
}

static bool airflow_begins(const struct exec_view *exec)
{
	return airflow_task(exec) != NULL;
}

static void airflow_describe(struct run *run, const struct exec_view *exec)
{
	const char *const *words = airflow_task(exec);

	if (!words)
		return;
	run_set_pipeline(run, words[0], false);
	if (!run->named)
		run_set_name(run, words[2], true);
}

/* The run's id is a time, which other DAGs may have, too. */
static bool airflow_daemon_run_id(const struct exec_view *exec, char *ret, size_t size)
{
	const char *const *words = airflow_task(exec);

	return words && snprintf(ret, size, "%s %s", words[0], words[2]) < (int)size;
}

/* The command line does not say which try it is. */
static void airflow_name_task(struct task *task, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *const *words = airflow_task(exec);
	const char *index = command_option(command->args, command->count, "--map-index", NULL);

	if (task->named || !words)
		return;
	task_set_name(task, words[1], index && *index != '-' ? index : "");
	task->record.attempt = 0;
}

const struct engine engine_airflow = {
	.name = "airflow",
	.program = "airflow",
	.reported = REPORT_FROM_TASK,
	.one_task = true,
	.parts_fail = true,
	.begins = airflow_begins,
	.describe = airflow_describe,
	.name_task = airflow_name_task,
	.daemon_run_id = airflow_daemon_run_id,
};
