/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/model/task.h"

#include "base/cleanup.h"
#include "base/id.h"
#include "base/map.h"
#include "base/text.h"
#include "correlate/tree/output_names.h"
#include "correlate/command/plan.h"
#include "correlate/model/run.h"
#include "correlate/label/sample.h"
#include "correlate/label/task_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tasks of a run with the same key are attempts of one: the key is the name of the task, else the
 * command line of its root. */
static struct map_text_key attempt_key(const struct task *task, const struct rules *rules)
{
	char text[SHELL_TEXT_LIMIT + 1];

	if (task->by_file)
		return map_text_key(task->record.name, strlen(task->record.name));
	task_text_tried(task, rules, text);
	return map_text_key(text, strlen(text));
}

static void fill(struct task *task, const struct tree_image *image)
{
	Signal__Task *record = &task->record;

	record->run_id = task->run->record.run_id; /* the run's, which is referred to */
	record->status = status_running;
	record->pid = image->pid;
	record->start_ns = image->start_ns;
	record->started_at = image->started_at;
	record->cgroup_id = image->cgroup_id;
}

/* Notes the folder that its engine made for it alone. */
static void set_folder(struct task *task, const char *cwd)
{
	const struct engine *engine = task->run->engine;
	const char *own = cwd && engine->own_folder ? engine->own_folder(cwd) : NULL;

	if (!own || task->folder)
		return;
	task->folder = strdup(own);
	record_set(&task->record.folder, cwd, RECORD_COMMAND_LIMIT);
}

static void set_attempt(struct task *task, const struct rules *rules)
{
	struct map *failures = task->run->failures;

	task->tried = attempt_key(task, rules);
	if (failures)
		task->record.attempt = 1 + (uint32_t)(uintptr_t)map_get(failures, &task->tried);
}

static void count_failure(struct task *task)
{
	struct map *failures = task->run->failures;

	/* At the cap further attempts count as first ones. */
	if (failures)
		map_put(failures, &task->tried, (void *)(uintptr_t)task->record.attempt);
}

struct task *task_new(struct entities *entities, const char *host_id, struct run *run,
		      const struct exec_view *exec)
{
	struct task *task = calloc(1, sizeof(*task));

	if (!task)
		return NULL;
	signal__task__init(&task->record);
	task->host_id = host_id;
	task->run = run;
	entity_ref(&run->entity);
	entity_begin(entities, &task->entity, true);
	if (exec)
		task_begin(task, exec);
	else
		task->record.run_id = run->record.run_id; /* the run's, which is referred to */
	return task;
}

void task_begin(struct task *task, const struct exec_view *exec)
{
	fill(task, exec->image);
	set_folder(task, exec->image->cwd);
	if (task->run->engine->output_record && exec->image->cwd && !task->cwd)
		task->cwd = strdup(exec->image->cwd);
	task_text_drop(task);
	task_text_begin(task, exec);
}

void task_set_state(struct task *task, enum task_state state)
{
	task->state = task_state_next(task->state, state);
}

bool task_is_reported(const struct task *task)
{
	return task_state_is_reported(task->state);
}

void task_drop(struct entities *entities, struct task *task)
{
	if (!task->entity.live)
		return;
	task_set_state(task, task_is_reported(task) ? TASK_ENDED : TASK_DROPPED);
	entity_end(entities, &task->entity);
}

void task_announce(struct task *task, const struct rules *rules)
{
	if (!task->run->engine->task_file)
		set_attempt(task, rules);
	if (task->run->engine->is_wrapper) /* its text is still to come */
		task_text_drop(task);
}

const char *task_id(struct task *task)
{
	const Signal__Task *record = &task->record;
	char key[256];

	if (task->id_given)
		return record->task_id;
	if (task->run->engine->own_folder && task->folder)
		(void)snprintf(key, sizeof(key), "task %.128s %.100s", record->run_id,
			       task->folder);
	else
		(void)snprintf(key, sizeof(key), "task %.128s %u %llu", task->host_id, record->pid,
			       (unsigned long long)record->start_ns);
	record_keep(&task->record.task_id, id_of(key, strlen(key)).text, RECORD_NAME_LIMIT);
	task->id_given = true;
	return record->task_id;
}

struct task *task_resolve(struct task *task)
{
	while (task && task->merged)
		task = task->merged;
	return task;
}

/* A task is identified by the first of its roots. */
static void stand_for(struct task *task, uint32_t pid, uint64_t start_ns, int64_t started_at)
{
	if (task->id_given || start_ns >= task->record.start_ns)
		return;
	task->record.pid = pid;
	task->record.start_ns = start_ns;
	task->record.started_at = started_at;
}

void task_also(struct task *task, const struct exec_view *exec)
{
	const struct tree_image *image = exec->image;

	stand_for(task, image->pid, image->start_ns, image->started_at);
	task_text_also(task, exec);
}

void task_take(struct task *task, struct task *other)
{
	const Signal__Task *record = &other->record;
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	stand_for(task, record->pid, record->start_ns, record->started_at);
	buffer_init(&text, 2 * (SHELL_TEXT_LIMIT + 1));
	buffer_printf(&text, "%s\n%s", task_text(task), task_text(other));
	if (!text.failed) {
		free(task->shell_text);
		task->shell_text = buffer_take(&text);
		task->root_len = strlen(task->shell_text);
	}
	shape_take(&task->shape, &other->shape);
	task->roots += other->roots;
	task->waited = false;
	if (other->last_start_ns > task->last_start_ns) {
		task->last_start_ns = other->last_start_ns;
		task->last_rank = other->last_rank;
		task->end = other->end;
	}
	task->helpers_work |= other->helpers_work;
	task_set_state(other, TASK_MERGED);
	other->merged = task;
	entity_ref(&task->entity);
}

void task_free(struct task *task)
{
	shape_clear(&task->shape);
	output_names_clear(task);
	record_clear(&task->record.task_id);
	record_clear(&task->record.step);
	record_clear(&task->record.name);
	record_clear(&task->record.sample);
	record_clear(&task->record.requested_by);
	record_clear(&task->record.folder);
	free(task->shell_text);
	free(task->folder);
	free(task->script);
	task_unref(task->merged);
	entity_unref(&task->run->entity);
	free(task);
}

void task_unref(struct task *task)
{
	if (task)
		entity_unref(&task->entity);
}

bool task_is_run_root(const struct task *task)
{
	return task->record.pid == task->run->record.pid &&
	       task->record.start_ns == task->run->record.start_ns;
}

static void name_after(struct task *task)
{
	char name[RECORD_NAME_LIMIT * 2 + 4];
	const char *step = task->record.step, *sample = task->record.sample;

	if (*sample)
		snprintf(name, sizeof(name), "%s (%s)", step, sample);
	record_keep(&task->record.name, *sample ? name : step, RECORD_NAME_LIMIT);
}

void task_set_name(struct task *task, const char *step, const char *sample)
{
	record_set(&task->record.step, step, RECORD_NAME_LIMIT);
	record_set(&task->record.sample, sample, RECORD_NAME_LIMIT);
	name_after(task);
	task->named = true;
}

void task_named_by_file(struct task *task)
{
	task->by_file = true;
	set_attempt(task, NULL);
}

/* The step as far as it has been seen. */
static bool label(struct task *task)
{
	char step[SHAPE_LABEL_SIZE];

	shape_label(&task->shape, task_text(task), step);
	if (strcmp(step, task->record.step) == 0)
		return false;
	record_set(&task->record.step, step, RECORD_NAME_LIMIT);
	name_after(task);
	return true;
}

/* An image by which the engine comes to what the task is for. */
static bool is_wrapper(const struct task *task, const struct exec_view *exec)
{
	const struct engine *engine = task->run->engine;

	return engine->is_wrapper && engine->is_wrapper(exec);
}

static void plan(const struct plan_tool *tool, void *context)
{
	(void)shape_plan(context, tool);
}

/* The tools that its root's text names, where a shell runs it. */
static void plan_shape(struct task *task, const struct rules *rules, const struct exec_view *exec)
{
	const struct tree_image *image = exec->image;
	const struct rule_context context = { .cwd = image->cwd,
					      .image = image->image,
					      .user = image->user };
	const char *program = task_text_program(exec);

	if (!task->planned && program)
		plan_read(rules, &context, program, plan, &task->shape);
	task->planned = true;
}

bool task_image(struct task *task, const struct rules *rules, const struct exec_view *exec)
{
	bool was_named = task->named;

	if (!task->entity.live)
		return false;
	if (task->run->engine->name_task)
		task->run->engine->name_task(task, exec);
	if (task->named)
		return !was_named;
	if (is_wrapper(task, exec))
		return false;
	if (!task->shell_text)
		task_text_begin(task, exec); /* its text, as far as the image shows it */
	else if (task->shape.count > 0)
		task_text_add(task, exec);
	plan_shape(task, rules, exec);
	return shape_add(&task->shape, exec) && label(task);
}

bool task_request(struct task *task, struct request request, const char *by)
{
	bool more = false;

	if (request.cpus > task->record.cpus_requested) {
		task->record.cpus_requested = request.cpus;
		more = true;
	}
	if (request.memory_bytes > task->record.memory_requested_bytes) {
		task->record.memory_requested_bytes = request.memory_bytes;
		more = true;
	}
	if (more)
		record_keep(&task->record.requested_by, by, RECORD_NAME_LIMIT);
	return more;
}

static void set_sample(struct entities *entities, const struct rules *rules, struct task *task,
		       const struct task *other)
{
	char mine[SHELL_TEXT_LIMIT + 1], theirs[SHELL_TEXT_LIMIT + 1], sample[SAMPLE_SIZE];

	text_cut(task_text(task), task->root_len, mine, sizeof(mine));
	text_cut(task_text(other), other->root_len, theirs, sizeof(theirs));
	sample_between(rules, mine, theirs, sample);
	if (!*sample || strcmp(sample, task->record.sample) == 0)
		return;
	record_set(&task->record.sample, sample, RECORD_NAME_LIMIT);
	name_after(task);
	entity_changed(entities, &task->entity);
}

/* Keeps the first task of a step, to compare others with it. */
static void begin_step(struct run *run, struct task *task)
{
	struct step *step;

	if (!run->entity.live || run->step_count == RUN_STEP_LIMIT)
		return;
	step = &run->steps[run->step_count];
	step->label = (char *)protobuf_c_empty_string;
	record_keep(&step->label, task->record.step, RECORD_NAME_LIMIT);
	step->first = task;
	entity_ref(&task->entity);
	run->step_count++;
}

/* Compares it with the first task of its step; the first gets its sample from the second. */
static void find_sample(struct entities *entities, const struct rules *rules, struct task *task)
{
	struct run *run = task->run;

	for (size_t i = 0; i < run->step_count; i++) {
		struct step *step = &run->steps[i];

		if (strcmp(step->label, task->record.step) != 0)
			continue;
		set_sample(entities, rules, task, step->first);
		if (!*step->first->record.sample)
			set_sample(entities, rules, step->first, task);
		return;
	}
	begin_step(run, task);
}

void task_end(struct entities *entities, const struct rules *rules, struct task *task,
	      const struct ending *end)
{
	if (!task->entity.live)
		return;
	task_set_state(task, task->state == TASK_SETTLING ? TASK_ENDED_SETTLING : TASK_ENDED);
	task->record.status = status_of(end->exit_code, end->signal, end->lost);
	task->record.exit_code = end->exit_code;
	task->record.signal = end->signal;
	task->record.ended_at = end->ended_at;
	if ((end->exit_code || end->signal) && (task->by_file || !task->run->engine->task_file))
		count_failure(task);
	if (!task->named && !task->sample_given)
		find_sample(entities, rules, task);
	entity_changed(entities, &task->entity);
	entity_end(entities, &task->entity);
}
