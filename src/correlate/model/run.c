/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/model/run.h"

#include "base/cleanup.h"
#include "base/id.h"
#include "base/map.h"
#include "correlate/model/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char status_running[] = "running", status_queued[] = "queued";

char *status_of(int exit_code, int signal, bool lost)
{
	static char is_lost[] = "lost", killed[] = "killed", failed[] = "failed",
		    succeeded[] = "succeeded";

	if (lost)
		return is_lost;
	if (signal)
		return killed;
	return exit_code ? failed : succeeded;
}

void run_set_pipeline(struct run *run, const char *pipeline, bool by_user)
{
	if (run->pipeline_named && !by_user)
		return;
	record_set(&run->record.pipeline, pipeline, RECORD_NAME_LIMIT);
	run->pipeline_named |= by_user;
}

void run_set_name(struct run *run, const char *name, bool by_user)
{
	if (run->named && !by_user)
		return;
	record_set(&run->record.name, name, RECORD_NAME_LIMIT);
	run->named |= by_user;
}

static Signal__Label *label_new(const char *key, const char *value)
{
	Signal__Label *label = malloc(sizeof(*label));

	if (!label)
		return NULL;
	signal__label__init(label);
	record_set(&label->key, key, RECORD_NAME_LIMIT);
	record_set_value(&label->value, key, value, RECORD_NAME_LIMIT);
	return label;
}

static void label_free(Signal__Label *label)
{
	if (!label)
		return;
	record_clear(&label->key);
	record_clear(&label->value);
	free(label);
}

void run_add_label(struct run *run, const char *key, size_t key_len, const char *value)
{
	char text[RECORD_NAME_LIMIT];
	Signal__Label *label;

	if (run->record.n_labels == RUN_LABEL_LIMIT || key_len == 0)
		return;
	if (!run->record.labels)
		run->record.labels = calloc(RUN_LABEL_LIMIT, sizeof(Signal__Label *));
	label = label_new(name_copy(key, key_len, text, sizeof(text)), value);
	if (label && run->record.labels)
		run->record.labels[run->record.n_labels++] = label;
	else
		label_free(label);
}

static Signal__Label *find_label(const struct run *run, const char *key)
{
	for (size_t i = 0; i < run->record.n_labels; i++)
		if (strcmp(run->record.labels[i]->key, key) == 0)
			return run->record.labels[i];
	return NULL;
}

/* Whether value is one of those that commas part. */
static bool is_among(const char *values, const char *value)
{
	size_t len = strlen(value);

	for (const char *at = values; (at = strstr(at, value)); at += len)
		if ((at == values || at[-1] == ',') && (!at[len] || at[len] == ','))
			return true;
	return false;
}

bool run_add_to_label(struct run *run, const char *key, const char *value)
{
	Signal__Label *label = find_label(run, key);
	char values[RECORD_NAME_LIMIT + 1];
	int len;

	if (!label) {
		run_add_label(run, key, strlen(key), value);
		return find_label(run, key);
	}
	len = snprintf(values, sizeof(values), "%s,%s", label->value, value);
	if (is_among(label->value, value) || len > RECORD_NAME_LIMIT)
		return false;
	record_set(&label->value, values, RECORD_NAME_LIMIT);
	return true;
}

void run_finish_names(struct run *run)
{
	char name[RECORD_NAME_LIMIT + 8];

	snprintf(name, sizeof(name), "%s-%.6s", run->record.pipeline, run->record.run_id);
	run_set_name(run, name, false);
}

void run_set_folder(struct run *run, const char *folder, size_t len)
{
	free(run->folder);
	run->folder = strndup(folder, len);
	run->link_sent = false;
}

void run_set_parent(struct run *run, const struct run *parent)
{
	record_set(&run->record.parent_run_id, parent->record.run_id, RECORD_NAME_LIMIT);
}

/* What its parts elsewhere share with it. */
static void share(struct run *run, const struct exec_view *exec)
{
	char folder[RECORD_COMMAND_LIMIT];

	free(run->folder);
	run->folder = NULL;
	run->part = false;
	run->link_sent = false;
	if (run->engine->share && run->engine->share(exec, folder, sizeof(folder), &run->part))
		run->folder = strdup(folder);
}

void run_adopt(struct run *run, const struct engine *engine, const struct exec_view *exec)
{
	run->engine = engine;
	if (engine->tasks_by_pipes && !run->pipes)
		run->pipes = map_new(sizeof(uint32_t), RUN_PIPE_LIMIT);
	run->image_seq = exec->image->image_seq;
	record_keep(&run->record.engine, engine->name, RECORD_NAME_LIMIT);
	engine->describe(run, exec);
	run_finish_names(run);
	share(run, exec);
}

void run_name_after_command(struct run *run, const char *tool)
{
	run_set_pipeline(run, tool, false);
	run_finish_names(run);
}

static void fill(struct run *run, const struct tree_image *image)
{
	struct buffer command CLEANUP(buffer_clear) = { 0 };

	buffer_init(&command, RECORD_COMMAND_LIMIT + 1);
	record_command(image->masked, image->argc, RECORD_COMMAND_LIMIT, &command);
	record_keep(&run->record.command, command.data, RECORD_COMMAND_LIMIT);
	record_set(&run->record.cwd, image->cwd ? image->cwd : "", RECORD_COMMAND_LIMIT);
	record_set(&run->record.user, image->user ? image->user : "", RECORD_NAME_LIMIT);
	run->record.status = status_running;
	run->record.pid = image->pid;
	run->record.start_ns = image->start_ns;
	run->record.uid = image->uid;
	run->record.started_at = image->started_at;
	run->cgroup_id = image->cgroup_id;
}

struct run *run_new(struct entities *entities, const char *host_id, const struct engine *engine,
		    const struct exec_view *exec)
{
	struct run *run = calloc(1, sizeof(*run));
	char key[256];
	struct id id;

	if (!run)
		return NULL;
	snprintf(key, sizeof(key), "run %.128s %u %llu", host_id, exec->image->pid,
		 (unsigned long long)exec->image->start_ns);
	id = id_of(key, strlen(key));
	signal__run__init(&run->record);
	record_keep(&run->record.run_id, id.text, RECORD_NAME_LIMIT);
	fill(run, exec->image);
	run->failures = map_new_of_texts(TASK_FAILURE_LIMIT);
	entity_begin(entities, &run->entity, false);
	run_adopt(run, engine, exec);
	return run;
}

void run_forget(struct run *run)
{
	for (size_t i = 0; i < run->step_count; i++) {
		record_clear(&run->steps[i].label);
		task_unref(run->steps[i].first);
	}
	run->step_count = 0;
}

void run_free(struct run *run)
{
	for (size_t i = 0; i < run->record.n_labels; i++)
		label_free(run->record.labels[i]);
	free(run->record.labels);
	record_clear(&run->record.run_id);
	record_clear(&run->record.parent_run_id);
	record_clear(&run->record.name);
	record_clear(&run->record.pipeline);
	record_clear(&run->record.engine);
	record_clear(&run->record.user);
	record_clear(&run->record.cwd);
	record_clear(&run->record.command);
	free(run->rules);
	free(run->folder);
	free(run->workflow);
	free(run->node);
	map_free(run->failures);
	map_free(run->failing);
	map_free(run->pipes);
	free(run);
}

void run_set_state(struct run *run, enum run_state state)
{
	run->state = run_state_next(run->state, state);
}

bool run_is_reported(const struct run *run)
{
	return run_state_is_reported(run->state);
}

void run_report(struct entities *entities, struct run *run)
{
	if (run->state == RUN_NEW)
		run_set_state(run, run->record.ended_at ? RUN_IDLE : RUN_RUNNING);
	else if (run->state == RUN_DROPPED)
		run_set_state(run, RUN_ENDED);
	entity_changed(entities, &run->entity);
}

void run_changed(struct entities *entities, struct run *run)
{
	if (run_is_reported(run))
		entity_changed(entities, &run->entity);
}

void run_record_end(struct entities *entities, struct run *run, const struct ending *end)
{
	run->record.status = status_of(end->exit_code, end->signal, end->lost);
	run->record.exit_code = end->exit_code;
	run->record.signal = end->signal;
	run->record.ended_at = end->ended_at;
	run_changed(entities, run);
}

void run_wake(struct entities *entities, struct run *run)
{
	run->record.status = status_running;
	run->record.exit_code = run->record.signal = 0;
	run->record.ended_at = 0;
	run_changed(entities, run);
}

void run_close(struct entities *entities, struct run *run)
{
	run_set_state(run, run_is_reported(run) ? RUN_ENDED : RUN_DROPPED);
	run_forget(run);
	entity_end(entities, &run->entity);
}

void run_end(struct entities *entities, struct run *run, const struct ending *end)
{
	if (!run->entity.live)
		return;
	run_record_end(entities, run, end);
	run_close(entities, run);
}
