/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_failure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_NS 1000000000
#define MIB       ((uint64_t)1 << 20)
#define FIRST_PID 100

static int64_t instant_of(const char *text)
{
	return *text == '?' ? 0 : (int64_t)(strtod(text, NULL) * SECOND_NS);
}

static enum process_status end_of(const char *word, int *ret_code, int *ret_signal)
{
	if (*word == 'c')
		*ret_code = atoi(word + 1);
	if (*word == 's')
		*ret_signal = atoi(word + 1);
	return strcmp(word, "run") == 0    ? PROCESS_RUNNING
	       : strcmp(word, "lost") == 0 ? PROCESS_LOST
	       : *word == 'c'              ? PROCESS_FAILED
	       : *word == 's'              ? PROCESS_KILLED
					   : PROCESS_SUCCEEDED;
}

static char *next(char **rest)
{
	char *word = strtok_r(NULL, " ", rest);

	for (char *byte = word; byte && *byte; byte++)
		if (*byte == '_')
			*byte = ' ';
	return word;
}

/* The value of "KEY=VALUE"; "" of "KEY"; NULL: it is another word. */
static const char *value_of(const char *word, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(word, key, len) != 0 || (word[len] && word[len] != '='))
		return NULL;
	return word[len] ? word + len + 1 : "";
}

static void read_run(struct failure_scene *scene, char *rest)
{
	struct failure_run *run = &scene->facts.run;
	const char *value;
	char *word;

	run->engine = next(&rest);
	run->status = end_of(next(&rest), &run->exit_code, &run->signal);
	run->root = scene_find(&scene->scene, *next(&rest));
	while ((word = next(&rest))) {
		if ((value = value_of(word, "lost")))
			run->lost_records = strtoull(value, NULL, 10);
		else if ((value = value_of(word, "tasks")))
			run->tasks = strtoull(value, NULL, 10);
		else if ((value = value_of(word, "failed")))
			run->tasks_failed = strtoull(value, NULL, 10);
		else if ((value = value_of(word, "user")))
			run->user = value;
		else if ((value = value_of(word, "inner"))) {
			run->inner_id = run->inner_name = value;
			run->inner_exit_code = 1;
		} else if ((value = value_of(word, "some")))
			scene->facts.complete = false;
		else if ((value = value_of(word, "last"))) {
			run->last_task_id = run->last_task = value;
			run->last_task_ended_at = instant_of(strchr(value, '@') + 1);
			*strchr(word, '@') = '\0';
		} else
			fail_msg("run: %s", word);
	}
}

static void read_task_option(struct failure_task *task, const char *word)
{
	const char *value;

	if ((value = value_of(word, "step")))
		task->step = value;
	else if ((value = value_of(word, "sample")))
		task->sample = value;
	else if ((value = value_of(word, "attempt")))
		task->attempt = atoi(value);
	else if ((value = value_of(word, "by")))
		task->requested_by = value;
	else if ((value = value_of(word, "peak")))
		task->later_peak_bytes = strtoull(value, NULL, 10) * MIB;
	else if ((value = value_of(word, "cloud")))
		task->instance_type = value;
	else if ((value = value_of(word, "notice")))
		task->notice = value;
	else if (value_of(word, "gone"))
		task->host_gone = true;
	else if ((value = value_of(word, "later"))) {
		task->later_attempts = 1;
		task->later_succeeded = strcmp(value, "ok") == 0;
		task->later_id = "later";
	} else
		fail_msg("task: %s", word);
}

static void read_task(struct failure_scene *scene, char *rest)
{
	struct failure_task *task = &scene->tasks[scene->facts.task_count++];
	char *word;

	assert_true(scene->facts.task_count <= FACTS_MAX);
	task->name = task->id = task->step = next(&rest);
	task->sample = task->requested_by = task->later_id = task->instance_type = task->notice =
		"";
	task->host_id = "host";
	task->status = end_of(next(&rest), &task->exit_code, &task->signal);
	task->root = scene_find(&scene->scene, *next(&rest));
	word = next(&rest);
	task->started_at = instant_of(word);
	task->ended_at = instant_of(strchr(word, '-') + 1);
	while ((word = next(&rest)))
		read_task_option(task, word);
}

static void read_event_option(struct failure_event *event, const char *word)
{
	const char *value;

	if ((value = value_of(word, "code")))
		event->code = atoi(value);
	else if ((value = value_of(word, "detail")))
		event->detail = value;
	else if ((value = value_of(word, "path")))
		event->path = value;
	else if ((value = value_of(word, "sender")))
		event->sender = value;
	else if ((value = value_of(word, "container")))
		event->container = value;
	else if ((value = value_of(word, "pid")))
		event->sender_pid = atoi(value);
	else if ((value = value_of(word, "uid")))
		event->sender_uid = atoi(value);
	else if ((value = value_of(word, "limit")))
		event->limit_bytes = strtoull(value, NULL, 10) * MIB;
	else if ((value = value_of(word, "used")))
		event->used_bytes = strtoull(value, NULL, 10) * MIB;
	else if ((value = value_of(word, "memory")))
		event->host_memory_bytes = strtoull(value, NULL, 10) * MIB;
	else
		fail_msg("event: %s", word);
}

static bool read_event(struct failure_scene *scene, const char *kind, char *rest)
{
	static const char *const kinds[] = { "killed",    "oom_kill", "exec_failed",
					     "disk_full", "io_error", "connect_failed",
					     "answered" };
	struct failure_event *event = &scene->events[scene->facts.event_count];
	char *word;
	size_t i = 0;

	while (i < sizeof(kinds) / sizeof(kinds[0]) && strcmp(kinds[i], kind) != 0)
		i++;
	if (i == sizeof(kinds) / sizeof(kinds[0]))
		return false;
	scene->facts.event_count++;
	assert_true(scene->facts.event_count <= FACTS_MAX);
	event->kind = (enum failure_event_kind)i;
	event->process = scene_find(&scene->scene, *next(&rest));
	event->at = instant_of(next(&rest));
	event->detail = event->path = event->mount = event->sender = event->container = "";
	while ((word = next(&rest)))
		read_event_option(event, word);
	event->sender_process =
		event->sender_pid >= FIRST_PID &&
				event->sender_pid < FIRST_PID + (int64_t)scene->scene.count
			? (size_t)(event->sender_pid - FIRST_PID)
			: PROCESS_NONE;
	if (event->sender_process != PROCESS_NONE && event->kind == EVENT_KILLED)
		scene->scene.processes[event->process].killed_by = event->sender_process + 1;
	if (event->kind == EVENT_OOM_KILL)
		scene->scene.processes[event->process].oom_killed = true;
	return true;
}

static void read_open(struct failure_scene *scene, char *rest)
{
	struct failed_open *open = &scene->opens[scene->facts.open_count++];

	assert_true(scene->facts.open_count <= FACTS_MAX);
	open->process = scene_find(&scene->scene, *next(&rest));
	open->last_at = instant_of(next(&rest));
	open->error = atoi(next(&rest));
	open->path = next(&rest);
	if (strcmp(open->path, "-") == 0)
		open->path = "";
	open->failures = 1;
}

static void read_line(struct failure_scene *scene, char *line)
{
	char *rest, *word = strtok_r(line, " ", &rest);

	if (strcmp(word, "run") == 0) {
		read_run(scene, rest);
	} else if (strcmp(word, "task") == 0) {
		read_task(scene, rest);
	} else if (strcmp(word, "open") == 0) {
		read_open(scene, rest);
	} else if (strcmp(word, "rss") == 0) {
		size_t process = scene_find(&scene->scene, *next(&rest));

		scene->process_facts[process].rss_peak_bytes = strtoull(rest, NULL, 10) * MIB;
	} else if (!read_event(scene, word, rest)) {
		fail_msg("%s", word);
	}
}

static size_t count_failed(const struct failure_scene *scene)
{
	size_t count = 0;

	for (size_t i = 0; i < scene->facts.task_count; i++)
		if (scene->tasks[i].status == PROCESS_FAILED ||
		    scene->tasks[i].status == PROCESS_KILLED)
			count++;
	return count;
}

void failure_scene_read(struct failure_scene *scene, const char *processes, const char *facts)
{
	char *rest, *line;

	memset(scene, 0, sizeof(*scene));
	scene_read(&scene->scene, processes);
	scene->facts = (struct failure_facts){
		.run = { .id = "run-id",
			 .name = "run-1",
			 .user = "maria",
			 .uid = 1000,
			 .last_task = "",
			 .last_task_id = "",
			 .inner_id = "",
			 .inner_name = "",
			 .root = PROCESS_NONE },
		.processes = scene->scene.processes,
		.process_facts = scene->process_facts,
		.process_count = scene->scene.count,
		.tasks = scene->tasks,
		.events = scene->events,
		.opens = scene->opens,
		.complete = true,
	};
	for (size_t i = 0; i < scene->scene.count; i++)
		scene->process_facts[i] = (struct failure_process){ .host_id = "host",
								    .pid = FIRST_PID + (int64_t)i,
								    .start_ns = 1 };
	assert_true(strlen(facts) < sizeof(scene->text));
	strcpy(scene->text, facts);
	for (line = strtok_r(scene->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_line(scene, line);
	if (!scene->facts.run.tasks_failed)
		scene->facts.run.tasks_failed = count_failed(scene);
	if (!scene->facts.run.tasks)
		scene->facts.run.tasks = scene->facts.task_count;
}
