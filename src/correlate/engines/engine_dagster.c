/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/python_process.h"
#include "correlate/model/run.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Dagster: steps are functions in Python. Seen with strace in version 1.13
 * (docs/engines/dagster.md). */

/* The daemons (dagster-daemon, dagster-webserver, `dagster dev`, `dagster api grpc`) run no step
 * themselves. */
static bool dagster_begins(const struct exec_view *exec)
{
	const struct command *command = exec->command;

	return strcmp(command->subject, "dagster") == 0 &&
	       (python_subcommand_is(command, "job", "execute") ||
		python_subcommand_is(command, "asset", "materialize") ||
		python_subcommand_is(command, "api", "execute_run") ||
		python_subcommand_is(command, "api", "resume_run") ||
		python_subcommand_is(command, "api", "execute_step"));
}

/* Dagster shows a step's output by `tail -F`, which one of its scripts watches. */
static bool dagster_is_task(const struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;

	if (python_is_internal(exec) || strcmp(command->subject, "watch_orphans.py") == 0)
		return false;
	return strcmp(command->subject, "tail") != 0 || command->count == 0 ||
	       !strstr(command->args[command->count - 1], "/compute_logs/");
}

/* "key": "value" in JSON, at any depth; "": there is none. */
static void json_value(const char *text, const char *key, char *ret, size_t size)
{
	char quoted[64];
	const char *at;

	*ret = '\0';
	(void)snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	at = strstr(text, quoted);
	if (!at)
		return;
	at += strlen(quoted);
	at += strspn(at, " [");
	if (*at == '"')
		name_copy(at + 1, strcspn(at + 1, "\"\\"), ret, size);
}

/* Steps may have a process each, which Dagster's daemon starts. */
static bool dagster_daemon_run_id(const struct exec_view *exec, char *ret, size_t size)
{
	const struct command *command = exec->command;
	const char *last = command->args[command->count - 1];

	*ret = '\0';
	if (*last == '{')
		json_value(last, "run_id", ret, size);
	return *ret;
}

/* The value of the first option that is given. */
static const char *option_of(const struct command *command, const char *const *options)
{
	const char *value = NULL;

	for (; *options && !value; options++)
		value = command_option(command->args, command->count, *options, NULL);
	return value;
}

/* Names the run after the job, or else after the file or module that holds it. */
static void dagster_describe(struct run *run, const struct exec_view *exec)
{
	static const char *const jobs[] = { "-j", "--job", NULL };
	static const char *const files[] = { "-f", "--python-file", "-m", "--module-name", NULL };
	const struct command *command = exec->command;
	const char *last = command->args[command->count - 1];
	const char *job = option_of(command, jobs), *file = option_of(command, files);
	char name[RECORD_NAME_LIMIT] = "", id[RECORD_NAME_LIMIT] = "";

	if (!job && *last == '{') {
		json_value(last, "job_name", name, sizeof(name));
		json_value(last, "run_id", id, sizeof(id));
		job = name;
	}
	if (!job || !*job)
		job = file ? text_basename(file) : "dagster";
	run_set_pipeline(run, job, false);
	if (*id && !run->named)
		run_set_name(run, id, true);
}

const struct engine engine_dagster = {
	.name = "dagster",
	.program = "dagster",
	.begins = dagster_begins,
	.describe = dagster_describe,
	.is_task = dagster_is_task,
	.is_shim = python_is_shim,
	.daemon_run_id = dagster_daemon_run_id,
};
