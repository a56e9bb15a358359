/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"

#define TASKS_MAX 64

struct scene {
	struct step_task tasks[TASKS_MAX];
	char names[TASKS_MAX][32], runs[TASKS_MAX][32], steps[TASKS_MAX][32];
	size_t count;
};

static const struct {
	const char *name;
	enum step_task_end end;
} ends[] = {
	{ "ok", STEP_TASK_SUCCEEDED },     { "oom", STEP_TASK_OUT_OF_MEMORY },
	{ "late", STEP_TASK_OUT_OF_TIME }, { "bad", STEP_TASK_FAILED },
	{ "run", STEP_TASK_RUNS },         { "lost", STEP_TASK_LOST },
};

static enum step_task_end end_named(const char *name)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strcmp(ends[i].name, name) == 0)
			return ends[i].end;
	fail_msg("no end: %s", name);
	return STEP_TASK_LOST;
}

static double amount(const char *text)
{
	return strcmp(text, "-") == 0 ? -1 : strtod(text, NULL) * GB;
}

static void set_option(struct scene *scene, struct step_task *task, const char *word)
{
	size_t at = (size_t)(task - scene->tasks);
	const char *value = strchr(word, '=') + 1;
	if (strncmp(word, "req=", 4) == 0)
		task->memory_requested_bytes = amount(value);
	else if (strncmp(word, "cpus=", 5) == 0)
		task->cpus_requested = strtod(value, NULL);
	else if (strncmp(word, "used=", 5) == 0)
		task->cpu_ns = strtod(value, NULL) * task->wall_ns;
	else if (strncmp(word, "waits=", 6) == 0)
		task->parts[WALL_RUNNABLE] = strtod(value, NULL) * task->wall_ns;
	else if (strncmp(word, "h=", 2) == 0)
		task->wall_ns = strtod(value, NULL) * HOUR;
	else if (strncmp(word, "name=", 5) == 0)
		snprintf(scene->names[at], sizeof(scene->names[at]), "%s", value);
	else if (strncmp(word, "step=", 5) == 0)
		snprintf(scene->steps[at], sizeof(scene->steps[at]), "%s", value);
	else
		fail_msg("no option: %s", word);
}

static void add_task(struct scene *scene, char *line)
{
	struct step_task *task = &scene->tasks[scene->count];
	char *words[4];
	for (size_t i = 0; i < 4; i++)
		words[i] = strsep(&line, " ");
	assert_true(scene->count < TASKS_MAX);
	snprintf(scene->runs[scene->count], 32, "%s", words[0]);
	snprintf(scene->names[scene->count], 32, "task %zu", scene->count);
	snprintf(scene->steps[scene->count], 32, "ALIGN");
	*task = (struct step_task){
		.run_id = scene->runs[scene->count],
		.name = scene->names[scene->count],
		.step = scene->steps[scene->count],
		.id = "",
		.attempt = 1,
		.started_at = (int64_t)scene->count + 1,
		.end = end_named(words[1]),
		.input_bytes = amount(words[2]),
		.memory_peak_bytes = amount(words[3]),
		.wall_ns = HOUR,
		.cpu_ns = -1,
		.output_bytes = -1,
		.disk_write_bytes = -1,
		.memory_requested_bytes = -1,
		.cpus_requested = -1,
		.host_cpus = -1,
	};
	for (char *word; (word = strsep(&line, " "));)
		if (strncmp(word, "try=", 4) == 0)
			task->attempt = (unsigned)strtoul(word + 4, NULL, 10);
		else
			set_option(scene, task, word);
	scene->count++;
}

struct sizes size_of(const char *text)
{
	static struct scene scene;
	CLEANUP(freep) char *copy = strdup(text);
	struct sizes sizes;
	scene.count = 0;
	char *rest = copy;
	for (char *line; (line = strsep(&rest, "\n"));)
		add_task(&scene, line);
	assert_int_equal(sizes_make(scene.tasks, scene.count, NULL, &sizes), 0);
	return sizes;
}
