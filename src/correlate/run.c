#include "correlate/run.h"

#include "base/cleanup.h"
#include "base/id.h"
#include "base/map.h"
#include "correlate/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *status_of(int exit_code, int signal, bool lost)
{
	if (lost)
		return "lost";
	if (signal)
		return "killed";
	return exit_code ? "failed" : "succeeded";
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
	record_set(&label->value, value, RECORD_NAME_LIMIT);
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

void run_finish_names(struct run *run)
{
	char name[RECORD_NAME_LIMIT + 8];

	snprintf(name, sizeof(name), "%s-%.6s", run->record.pipeline, run->record.run_id);
	run_set_name(run, name, false);
}

void run_adopt(struct run *run, const struct engine *engine, const struct sight *sight)
{
	run->engine = engine;
	run->image_seq = sight->image->image_seq;
	record_set(&run->record.engine, engine->name, RECORD_NAME_LIMIT);
	engine->describe(run, sight);
	run_finish_names(run);
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
	record_command(image->argv, image->argc, RECORD_COMMAND_LIMIT, &command);
	record_set(&run->record.command, command.data, RECORD_COMMAND_LIMIT);
	record_set(&run->record.cwd, image->cwd ? image->cwd : "", RECORD_COMMAND_LIMIT);
	record_set(&run->record.user, image->user ? image->user : "", RECORD_NAME_LIMIT);
	record_set(&run->record.status, "running", RECORD_NAME_LIMIT);
	run->record.pid = image->pid;
	run->record.start_ns = image->start_ns;
	run->record.uid = image->uid;
	run->record.started_at = image->started_at;
	run->cgroup_id = image->cgroup_id;
}

struct run *run_new(struct entities *entities, const char *host_id, const struct engine *engine,
		    const struct sight *sight)
{
	struct run *run = calloc(1, sizeof(*run));
	char key[256];
	struct id id;

	if (!run)
		return NULL;
	snprintf(key, sizeof(key), "run %.128s %u %llu", host_id, sight->image->pid,
		 (unsigned long long)sight->image->start_ns);
	id = id_of(key, strlen(key));
	signal__run__init(&run->record);
	record_set(&run->record.run_id, id.text, RECORD_NAME_LIMIT);
	fill(run, sight->image);
	run->failures = map_new(sizeof(struct map_text_key), TASK_FAILURE_LIMIT);
	entity_begin(entities, &run->entity, false);
	run_adopt(run, engine, sight);
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
	record_clear(&run->record.name);
	record_clear(&run->record.pipeline);
	record_clear(&run->record.engine);
	record_clear(&run->record.status);
	record_clear(&run->record.user);
	record_clear(&run->record.cwd);
	record_clear(&run->record.command);
	map_free(run->failures);
	free(run);
}

void run_end(struct entities *entities, struct run *run, int exit_code, int signal, bool lost,
	     int64_t ended_at)
{
	if (!run->entity.live)
		return;
	record_set(&run->record.status, status_of(exit_code, signal, lost), RECORD_NAME_LIMIT);
	run->record.exit_code = exit_code;
	run->record.signal = signal;
	run->record.ended_at = ended_at;
	if (run->announced)
		entity_changed(entities, &run->entity);
	run_forget(run);
	entity_end(entities, &run->entity);
}
