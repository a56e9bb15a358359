/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/failure_words.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

const char *words_task(const struct failure_task *task)
{
	if (*task->name)
		return task->name;
	return *task->step ? task->step : task->id;
}

void words_tool(struct buffer *out, const struct failure_case *failure, size_t process)
{
	const struct tree_process *named = case_process(failure, process);

	if (named && *named->tool)
		buffer_printf(out, "`%.200s`", named->tool);
	else
		buffer_append_text(out, "a process");
}

/* The task that the process is of, which may be another one than that of the failure. */
static const struct failure_task *task_of(const struct failure_case *failure, size_t process)
{
	const struct tree_process *named = case_process(failure, process);

	if (named && named->task != NO_TASK)
		return &failure->facts->tasks[named->task - 1];
	return failure->task;
}

/* A task that is named by its tools has nothing to add. */
static bool is_named_by_tool(const struct failure_case *failure, const struct failure_task *task,
			     size_t process)
{
	const struct tree_process *named = case_process(failure, process);

	return named && strcmp(named->tool, words_task(task)) == 0;
}

void words_subject(struct buffer *out, const struct failure_case *failure, size_t process)
{
	const struct failure_task *task = task_of(failure, process);

	words_tool(out, failure, process);
	if (!task)
		return;
	if (!is_named_by_tool(failure, task, process)) {
		buffer_printf(out, " (task %.200s", words_task(task));
		if (task->attempt > 1)
			buffer_printf(out, ", attempt %d", task->attempt);
		buffer_append_char(out, ')');
	} else if (task->attempt > 1) {
		buffer_printf(out, " (attempt %d)", task->attempt);
	}
}

/* A script that an engine wrote for a task says nothing to the person who wrote the task. */
static bool is_engine_script(const struct failure_case *failure, size_t process)
{
	static const char *const NAMES[] = { ".command.sh", ".command.run", "slurm_script" };
	const struct tree_process *named = case_process(failure, process);

	for (size_t i = 0; named && i < sizeof(NAMES) / sizeof(NAMES[0]); i++)
		if (strcmp(named->tool, NAMES[i]) == 0)
			return true;
	return false;
}

void words_short(struct buffer *out, const struct failure_case *failure, size_t process)
{
	const struct failure_task *task = task_of(failure, process);

	if (task && is_engine_script(failure, process)) {
		buffer_printf(out, "task `%.100s`", words_task(task));
		return;
	}
	words_tool(out, failure, process);
	if (task && *task->sample)
		buffer_printf(out, " (%.60s)", task->sample);
	else if (task && !is_named_by_tool(failure, task, process))
		buffer_printf(out, " (%.60s)", words_task(task));
}

void words_after(struct buffer *out, const struct failure_case *failure, size_t process)
{
	const struct tree_process *ended = case_process(failure, process);
	char text[32];

	if (ended && ended->ended_at > ended->started_at && ended->started_at)
		buffer_printf(out, " after %s",
			      text_duration((uint64_t)(ended->ended_at - ended->started_at), text,
					    sizeof(text)));
}

const char *words_signal(int number, char text[24])
{
	const char *name = sigabbrev_np(number);

	if (name)
		(void)snprintf(text, 24, "SIG%s", name);
	else
		(void)snprintf(text, 24, "signal %d", number);
	return text;
}

const char *words_errno(int error, char text[24])
{
	const char *words = strerrordesc_np(error);

	if (words)
		return words;
	(void)snprintf(text, 24, "error %d", error);
	return text;
}

const char *name_errno(int error, char text[24])
{
	const char *name = strerrorname_np(error);

	if (name)
		return name;
	(void)snprintf(text, 24, "%d", error);
	return text;
}

void words_command(struct buffer *out, const struct tree_process *process)
{
	size_t begin = out->len;

	for (size_t i = 0; i < process->argc && out->len - begin < 1000; i++)
		buffer_printf(out, "%s%.400s", i > 0 ? " " : "", process->argv[i]);
}

void words_bytes(struct buffer *out, uint64_t bytes)
{
	char text[32];

	buffer_append_text(out, text_bytes(bytes, text, sizeof(text)));
}

void evidence_text(struct json *json, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	json_key(json, key);
	json_text(json, text);
}

void evidence_number(struct json *json, const char *key, uint64_t number)
{
	if (!number)
		return;
	json_key(json, key);
	json_u64(json, number);
}

void evidence_at(struct json *json, const char *key, int64_t at)
{
	char text[CLOCK_TEXT_SIZE];

	evidence_text(json, key, clock_format(at, text));
}
