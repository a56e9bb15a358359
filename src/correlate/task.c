#include "correlate/task.h"

#include "base/cleanup.h"
#include "base/id.h"
#include "base/map.h"
#include "correlate/run.h"
#include "correlate/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program text of a `shell -c`, or NULL. */
static const char *shell_program(const struct sight *sight)
{
	const struct command *command = sight->command;

	if (!command->rule || command->rule->kind != RULE_SHELL)
		return NULL;
	for (size_t i = 0; i + 1 < command->count; i++) {
		const char *arg = command->args[i];

		if (arg[0] == '-' && arg[1] != '-' && strchr(arg, 'c'))
			return command->args[i + 1];
	}
	return NULL;
}

/* Appends the image's command line, masked, to what is known; of a shell its program alone. */
static void append_text(struct task *task, const struct sight *sight, const char *program)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	buffer_init(&text, SHELL_TEXT_LIMIT + 1);
	if (task->shell_text) {
		buffer_append_text(&text, task->shell_text);
		buffer_append_char(&text, '\n');
	}
	if (program)
		record_command(&program, 1, SHELL_TEXT_LIMIT, &text);
	else
		record_command(sight->image->argv, sight->image->argc, SHELL_TEXT_LIMIT, &text);
	if (text.failed)
		return;
	free(task->shell_text);
	task->shell_text = buffer_take(&text);
}

/* The root's command line, and the programs of shells inside. */
static void add_text(struct task *task, const struct sight *sight)
{
	const char *program = shell_program(sight);

	if (!task->shell_text || (program && strlen(task->shell_text) + 1 < SHELL_TEXT_LIMIT))
		append_text(task, sight, program);
}

static const char *text_of(const struct task *task)
{
	return task->shell_text ? task->shell_text : "";
}

/* The root's command line as a key: what was tried before under the same one is an attempt. */
static struct map_text_key command_key(const struct task *task)
{
	return map_text_key(text_of(task), task->root_len);
}

static void fill(struct task *task, const struct tree_image *image)
{
	Signal__Task *record = &task->record;

	record_set(&record->run_id, task->run->record.run_id, RECORD_NAME_LIMIT);
	record_set(&record->status, "running", RECORD_NAME_LIMIT);
	record->pid = image->pid;
	record->start_ns = image->start_ns;
	record->started_at = image->started_at;
	record->cgroup_id = image->cgroup_id;
}

static void set_attempt(struct task *task)
{
	struct map_text_key key = command_key(task);
	struct map *failures = task->run->failures;

	if (failures)
		task->record.attempt = 1 + (uint32_t)(uintptr_t)map_get(failures, &key);
}

static void count_failure(struct task *task)
{
	struct map_text_key key = command_key(task);
	struct map *failures = task->run->failures;

	/* At the cap further attempts count as first ones. */
	if (failures)
		map_put(failures, &key, (void *)(uintptr_t)task->record.attempt);
}

struct task *task_new(struct entities *entities, const char *host_id, struct run *run,
		      const struct sight *sight)
{
	struct task *task = calloc(1, sizeof(*task));
	char key[256];
	struct id id;

	if (!task)
		return NULL;
	snprintf(key, sizeof(key), "task %.128s %u %llu", host_id, sight->image->pid,
		 (unsigned long long)sight->image->start_ns);
	id = id_of(key, strlen(key));
	signal__task__init(&task->record);
	record_set(&task->record.task_id, id.text, RECORD_NAME_LIMIT);
	task->run = run;
	entity_ref(&run->entity);
	fill(task, sight->image);
	entity_begin(entities, &task->entity, true);
	add_text(task, sight);
	task->root_len = strlen(text_of(task));
	set_attempt(task);
	return task;
}

void task_free(struct task *task)
{
	shape_clear(&task->shape);
	record_clear(&task->record.task_id);
	record_clear(&task->record.run_id);
	record_clear(&task->record.step);
	record_clear(&task->record.name);
	record_clear(&task->record.sample);
	record_clear(&task->record.status);
	record_clear(&task->record.requested_by);
	free(task->shell_text);
	entity_unref(&task->run->entity);
	free(task);
}

void task_unref(struct task *task)
{
	if (task)
		entity_unref(&task->entity);
}

bool task_is_whole_run(const struct task *task)
{
	return task->record.pid == task->run->record.pid &&
	       task->record.start_ns == task->run->record.start_ns;
}

static void name_after(struct task *task)
{
	char name[RECORD_NAME_LIMIT * 2 + 4];
	const char *sample = task->record.sample;

	snprintf(name, sizeof(name), *sample ? "%s (%s)" : "%s", task->record.step, sample);
	record_set(&task->record.name, name, RECORD_NAME_LIMIT);
}

void task_set_name(struct task *task, const char *step, const char *sample)
{
	record_set(&task->record.step, step, RECORD_NAME_LIMIT);
	record_set(&task->record.sample, sample, RECORD_NAME_LIMIT);
	name_after(task);
	task->named = true;
}

/* The step as far as it has been seen. */
static bool label(struct task *task)
{
	char step[SHAPE_LABEL_SIZE];

	shape_label(&task->shape, text_of(task), step);
	if (strcmp(step, task->record.step) == 0)
		return false;
	record_set(&task->record.step, step, RECORD_NAME_LIMIT);
	name_after(task);
	return true;
}

bool task_image(struct task *task, const struct sight *sight)
{
	const struct tree_image *image = sight->image;
	bool was_named = task->named;

	if (!task->entity.live)
		return false;
	if (task->run->engine->name_task)
		task->run->engine->name_task(task, sight);
	if (task->named)
		return !was_named;
	if (task->shape.count > 0)
		add_text(task, sight);
	return shape_add(&task->shape, image->start_ns, image->image_seq, sight->command,
			 sight->name) &&
	       label(task);
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
		record_set(&task->record.requested_by, by, RECORD_NAME_LIMIT);
	return more;
}

static void set_sample(struct entities *entities, const struct rules *rules, struct task *task,
		       const struct task *other)
{
	char mine[SHELL_TEXT_LIMIT + 1], theirs[SHELL_TEXT_LIMIT + 1], sample[SAMPLE_SIZE];

	snprintf(mine, sizeof(mine), "%.*s", (int)task->root_len, text_of(task));
	snprintf(theirs, sizeof(theirs), "%.*s", (int)other->root_len, text_of(other));
	sample_between(rules, mine, theirs, sample);
	if (!*sample || strcmp(sample, task->record.sample) == 0)
		return;
	record_set(&task->record.sample, sample, RECORD_NAME_LIMIT);
	name_after(task);
	entity_changed(entities, &task->entity);
}

/* The first task of a step stands for it. */
static void begin_step(struct run *run, struct task *task)
{
	struct step *step;

	if (!run->entity.live || run->step_count == RUN_STEP_LIMIT)
		return;
	step = &run->steps[run->step_count];
	step->label = (char *)protobuf_c_empty_string;
	record_set(&step->label, task->record.step, RECORD_NAME_LIMIT);
	step->first = task;
	entity_ref(&task->entity);
	run->step_count++;
}

/* Compares it with the first task of its step; the first itself learns from the second. */
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
	      int exit_code, int signal, bool lost, int64_t ended_at)
{
	if (!task->entity.live)
		return;
	record_set(&task->record.status, status_of(exit_code, signal, lost), RECORD_NAME_LIMIT);
	task->record.exit_code = exit_code;
	task->record.signal = signal;
	task->record.ended_at = ended_at;
	if (exit_code || signal)
		count_failure(task);
	if (!task->named)
		find_sample(entities, rules, task);
	entity_changed(entities, &task->entity);
	entity_end(entities, &task->entity);
}
