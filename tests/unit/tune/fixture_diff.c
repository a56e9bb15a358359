/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_diff.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define S     1000000000LL
#define BEGUN 1700000000 /* 0 is no instant */
#define GIB   (1024.0 * 1024 * 1024)

struct words {
	struct step_task *task;
	struct diff_run *run;
	double busy_cpus;
};

static int64_t instant(const char *seconds)
{
	return (BEGUN + strtoll(seconds, NULL, 10)) * S;
}

static void set_end(struct words *words, const char *value)
{
	static const struct {
		const char *name;
		enum step_task_end end;
	} ENDS[] = { { "failed", STEP_TASK_FAILED },
		     { "memory", STEP_TASK_OUT_OF_MEMORY },
		     { "runs", STEP_TASK_RUNS } };

	for (size_t i = 0; i < sizeof(ENDS) / sizeof(ENDS[0]); i++)
		if (strcmp(ENDS[i].name, value) == 0)
			words->task->end = ENDS[i].end;
}

static void set_text(const char **at, char *value)
{
	for (char *blank = strchr(value, '_'); blank; blank = strchr(blank, '_'))
		*blank = ' ';
	*at = value;
}

static void take_class(struct words *words, enum wall_part part, double seconds)
{
	words->task->parts[part] = seconds * S;
}

static void set_word(struct words *words, const char *key, char *value)
{
	double number = strtod(value, NULL);
	struct step_task *task = words->task;

	if (strcmp(key, "in") == 0)
		task->input_bytes = number * GIB;
	else if (strcmp(key, "mem") == 0)
		task->memory_peak_bytes = number * GIB;
	else if (strcmp(key, "cpus") == 0)
		task->cpus_requested = number;
	else if (strcmp(key, "hcpus") == 0)
		task->host_cpus = number;
	else if (strcmp(key, "busy") == 0)
		words->busy_cpus = number;
	else if (strcmp(key, "tools") == 0)
		set_text(&task->tools, value);
	else if (strcmp(key, "args") == 0)
		set_text(&task->arguments, value);
	else if (strcmp(key, "host") == 0)
		set_text(&task->host_type, value);
	else if (strcmp(key, "disk") == 0)
		take_class(words, WALL_DISK, number);
	else if (strcmp(key, "runnable") == 0)
		take_class(words, WALL_RUNNABLE, number);
	else if (strcmp(key, "paging") == 0)
		take_class(words, WALL_PAGING, number);
	else if (strcmp(key, "end") == 0)
		set_end(words, value);
	else
		fail_msg("no word of a task: %s", key);
}

static void read_task(struct diff_scene *scene, char *line)
{
	struct step_task *task = &scene->tasks[scene->run.task_count++];
	struct words words = { task, &scene->run, 1 };
	char *place, *word;
	double left;

	assert_true(scene->run.task_count <= SCENE_TASKS);
	*task = (struct step_task){ .run_id = "",
				    .step = "",
				    .name = "",
				    .requested_by = "",
				    .host_type = "",
				    .tools = "",
				    .arguments = "" };
	task->end = STEP_TASK_SUCCEEDED;
	task->attempt = 1;
	task->id = task->name = strtok_r(line, " ", &place);
	task->step = strtok_r(NULL, " ", &place);
	task->started_at = instant(strtok_r(NULL, " ", &place));
	task->ended_at = instant(strtok_r(NULL, " ", &place));
	task->wall_ns = (double)(task->ended_at - task->started_at);
	task->input_bytes = task->memory_peak_bytes = task->cpus_requested = task->host_cpus = -1;
	task->output_bytes = task->disk_read_bytes = task->disk_write_bytes = -1;
	task->network_bytes = task->memory_requested_bytes = task->host_memory_bytes = -1;
	while ((word = strtok_r(NULL, " ", &place))) {
		char *value = strchr(word, '=');

		*value = '\0';
		set_word(&words, word, value + 1);
	}
	left = task->wall_ns;
	for (size_t i = 0; i < WALL_PARTS; i++)
		left -= task->parts[i];
	task->parts[WALL_COMPUTING] = left;
	task->cpu_ns = left * words.busy_cpus;
}

static void read_run(struct diff_run *run, char *line, struct flow *flow)
{
	char *place, *word = strtok_r(line, " ", &place);

	flow->began_at = instant(word);
	flow->ended_at = instant(strtok_r(NULL, " ", &place));
	run->wall_ns = flow->ended_at - flow->began_at;
	run->cpus = run->slots = -1;
	while ((word = strtok_r(NULL, " ", &place))) {
		if (strncmp(word, "cpus=", 5) == 0)
			run->cpus = strtod(word + 5, NULL);
		else if (strncmp(word, "slots=", 6) == 0)
			run->slots = strtod(word + 6, NULL);
		else if (strcmp(word, "running") == 0)
			run->running = true;
		else
			fail_msg("no word of a run: %s", word);
	}
}

/* A span has the classes of its task, evenly; computing on less than 1.2 CPUs is on one. */
static void set_wall(struct diff_scene *scene, struct diff_span *span)
{
	const struct step_task *task = &scene->tasks[span->span.task];
	double share = (double)(span->span.ended_at - span->span.began_at) / task->wall_ns;

	for (size_t i = 0; i < WALL_PARTS; i++)
		span->wall.ns[i] = task->parts[i] * share;
	if (task->cpu_ns < 1.2 * task->parts[WALL_COMPUTING])
		span->wall.serial_ns = span->wall.ns[WALL_COMPUTING];
}

static void find_spans(struct diff_scene *scene, struct flow *flow)
{
	struct flow_task tasks[SCENE_TASKS];

	for (size_t i = 0; i < scene->run.task_count; i++)
		tasks[i] =
			(struct flow_task){ scene->tasks[i].started_at, scene->tasks[i].ended_at };
	flow->tasks = tasks;
	flow->task_count = scene->run.task_count;
	assert_int_equal(slow_path_find(flow, &scene->path), 0);
	scene->spans = calloc(scene->path.count + 1, sizeof(*scene->spans));
	assert_non_null(scene->spans);
	for (size_t i = 0; i < scene->path.count; i++) {
		scene->spans[i].span = scene->path.spans[i];
		if (scene->path.spans[i].task != SLOW_ENGINE)
			set_wall(scene, &scene->spans[i]);
	}
	scene->run.spans = scene->spans;
	scene->run.span_count = scene->path.count;
}

void diff_scene_read(struct diff_scene *scene, const char *text)
{
	struct flow flow = { 0 };
	char *place, *line;

	*scene = (struct diff_scene){ .text = strdup(text) };
	assert_non_null(scene->text);
	scene->run =
		(struct diff_run){ .id = "", .pipeline = "", .engine = "", .tasks = scene->tasks };
	line = strtok_r(scene->text, "\n", &place);
	read_run(&scene->run, line, &flow);
	while ((line = strtok_r(NULL, "\n", &place)))
		read_task(scene, line);
	find_spans(scene, &flow);
}

void diff_scene_clear(struct diff_scene *scene)
{
	free(scene->text);
	free(scene->spans);
	slow_path_clear(&scene->path);
}
