/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/folder.h"
#include "correlate/model/run.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/*
 * Engines whose tasks are functions in Python: Luigi, Prefect, Dagster, Airflow. What such a
 * function does by itself no process tells; the commands that it starts do. Seen with strace in
 * Luigi 3.8, Prefect 3.4, Dagster 1.13 and Airflow 2.10 (docs/engines/).
 */

static bool is_one_of(const char *text, const char *const *list)
{
	while (*list && strcmp(text, *list) != 0)
		list++;
	return *list != NULL;
}

/* Whether these words stand first, options before and between them left out. */
static bool says(const struct command *command, const char *first, const char *second)
{
	const char *words[2] = { "", "" };
	size_t found = 0;

	for (size_t i = 0; i < command->count && found < 2; i++)
		if (command->rule && rule_list_has(&command->rule->options, command->args[i]))
			i++;
		else if (command->args[i][0] != '-')
			words[found++] = command->args[i];
	return strcmp(words[0], first) == 0 && strcmp(words[1], second) == 0;
}

/* The program text of a `python -c`; NULL: it is none. */
static const char *python_text(const struct exec_view *exec)
{
	const struct command *command = exec->command;

	if (!command_has_code(command) || command->rule->kind != RULE_INTERPRETER)
		return NULL;
	return command_option(command->args, command->count, "-c", NULL);
}

/* Another process of the same program: what it starts, the engine does. */
static bool python_is_shim(const struct exec_view *exec)
{
	const char *text = python_text(exec);

	return text && (strstr(text, "from multiprocessing.spawn import") ||
			strstr(text, "from multiprocessing.forkserver import"));
}

/* What Python and its libraries start for themselves. */
static bool is_pythons(const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *text = python_text(exec);
	const char *last = command->count ? command->args[command->count - 1] : "";

	if (text && strstr(text, "from multiprocessing.resource_tracker import"))
		return true;
	if (strcmp(command->subject, "uname") == 0) /* platform.processor() */
		return true;
	return strcmp(command->subject, "file") == 0 && command->count == 2 &&
	       strstr(text_basename(last), "python"); /* platform.architecture() */
}

static bool python_is_task(const struct run *run, const struct exec_view *exec)
{
	return !is_pythons(exec);
}

/* Dagster shows a step's output by `tail -F`, which a script of its own watches. */
static bool dagster_is_task(const struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;

	if (is_pythons(exec) || strcmp(command->subject, "watch_orphans.py") == 0)
		return false;
	return strcmp(command->subject, "tail") != 0 || command->count == 0 ||
	       !strstr(command->args[command->count - 1], "/compute_logs/");
}

/* `luigi [--module M] TASK …`; luigid only tells others what to do. */
static bool luigi_begins(const struct exec_view *exec)
{
	static const char *const telling[] = { "--help", "-h", "--help-all", "--version", NULL };
	const struct command *command = exec->command;

	if (strcmp(command->subject, "luigi") != 0)
		return false;
	for (size_t i = 0; i < command->count; i++)
		if (is_one_of(command->args[i], telling))
			return false;
	return command->count > 0;
}

/* By the module, else by the task that was asked for. */
static void luigi_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *name = command_option(command->args, command->count, "--module", NULL);

	if (!name && command->args[0][0] != '-')
		name = command->args[0];
	run_set_pipeline(run, name ? name : "luigi", false);
}

/* `prefect flow-run execute ID`, `python -m prefect.engine ID`. */
static bool prefect_begins(const struct exec_view *exec)
{
	return strcmp(exec->command->subject, "prefect") != 0 ||
	       says(exec->command, "flow-run", "execute");
}

/* Which flow it is the command line does not tell: its folder is named. */
static void prefect_describe(struct run *run, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *last = command->count ? command->args[command->count - 1] : "";
	const char *cwd = exec->image->cwd ? exec->image->cwd : "";
	char name[RECORD_NAME_LIMIT];

	folder_name(cwd, "flow.py", "prefect", name, sizeof(name));
	if (text_starts_with(name, "tmp") && text_ends_with(name, "prefect"))
		(void)snprintf(name, sizeof(name), "prefect"); /* made for this one run */
	run_set_pipeline(run, name, false);
	if (strlen(last) == 36 && last[8] == '-' && !run->named)
		run_set_name(run, last, true);
}

/* "key": "value" in JSON, whatever it stands in; "" where there is none. */
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

/* The daemons (dagster-daemon, dagster-webserver, `dagster dev`, `dagster api grpc`) run nothing by
 * themselves. */
static bool dagster_begins(const struct exec_view *exec)
{
	const struct command *command = exec->command;

	return strcmp(command->subject, "dagster") == 0 &&
	       (says(command, "job", "execute") || says(command, "asset", "materialize") ||
		says(command, "api", "execute_run") || says(command, "api", "resume_run") ||
		says(command, "api", "execute_step"));
}

/* The first that is given of several options. */
static const char *option_of(const struct command *command, const char *const *options)
{
	const char *value = NULL;

	for (; *options && !value; options++)
		value = command_option(command->args, command->count, *options, NULL);
	return value;
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

/* By the job; else by the file or module that holds it. */
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

/* The run's id is a time, and other DAGs have it, too. */
static bool airflow_daemon_run_id(const struct exec_view *exec, char *ret, size_t size)
{
	const char *const *words = airflow_task(exec);

	return words && snprintf(ret, size, "%s %s", words[0], words[2]) < (int)size;
}

/* Which try it is it does not say. */
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

const struct engine engine_luigi = {
	.name = "luigi",
	.program = "luigi",
	.begins = luigi_begins,
	.describe = luigi_describe,
	.is_task = python_is_task,
	.is_shim = python_is_shim,
};

const struct engine engine_prefect = {
	.name = "prefect",
	.program = "prefect",
	.begins = prefect_begins,
	.describe = prefect_describe,
	.is_task = python_is_task,
	.is_shim = python_is_shim,
};

const struct engine engine_dagster = {
	.name = "dagster",
	.program = "dagster",
	.begins = dagster_begins,
	.describe = dagster_describe,
	.is_task = dagster_is_task,
	.is_shim = python_is_shim,
	.daemon_run_id = dagster_daemon_run_id,
};

const struct engine engine_airflow = {
	.name = "airflow",
	.program = "airflow",
	.one_task = true,
	.parts_fail = true,
	.begins = airflow_begins,
	.describe = airflow_describe,
	.name_task = airflow_name_task,
	.daemon_run_id = airflow_daemon_run_id,
};
