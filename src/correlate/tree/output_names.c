/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/output_names.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "correlate/model/run.h"
#include "correlate/label/sibling.h"
#include "correlate/model/task.h"
#include "correlate/label/task_text.h"
#include "correlate/tree/tree_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file's path by itself and from the working directory, each as it is and of the folders above
 * it. */
#define PER_FILE (2 * (1 + OUTPUT_DEPTH))

NO_LEAK_ANALYSIS

static bool is_open(const struct task *task)
{
	return task && task_is_reported(task) && !task->named && task->run->engine->output_record;
}

static struct output *find(struct task *task, uint64_t file_id)
{
	for (size_t i = 0; i < task->output_count; i++)
		if (task->outputs[i].file_id == file_id)
			return &task->outputs[i];
	return NULL;
}

/* Makes room for one: the oldest that was not written goes. NULL: there is none. */
static struct output *make_room(struct task *task)
{
	size_t at = 0;

	if (!task->outputs)
		task->outputs = calloc(OUTPUT_LIMIT, sizeof(*task->outputs));
	if (!task->outputs)
		return NULL;
	if (task->output_count < OUTPUT_LIMIT)
		return &task->outputs[task->output_count++];
	while (at < OUTPUT_LIMIT && task->outputs[at].written)
		at++;
	if (at == OUTPUT_LIMIT)
		return NULL;
	free(task->outputs[at].path);
	memmove(&task->outputs[at], &task->outputs[at + 1],
		(OUTPUT_LIMIT - at - 1) * sizeof(*task->outputs));
	return &task->outputs[OUTPUT_LIMIT - 1];
}

static void set(struct output *output, uint64_t file_id, const char *path)
{
	*output = (struct output){ .file_id = file_id };
	output->path = strdup(path);
}

void output_names_note(const struct attribution *attribution, uint64_t file_id, const char *path,
		       bool writes)
{
	struct task *task = attribution_task(attribution);
	struct output *output;

	if (!is_open(task))
		return;
	output = find(task, file_id);
	if (!output && path && *path == '/' && strlen(path) < OUTPUT_PATH_LIMIT &&
	    !strstr(path, "/.snakemake/")) {
		output = make_room(task);
		if (output)
			set(output, file_id, path);
	}
	if (output)
		output->written |= writes;
}

void output_names_clear(struct task *task)
{
	while (task->output_count > 0)
		free(task->outputs[--task->output_count].path);
	free(task->outputs);
	task->outputs = NULL;
	free(task->cwd);
	task->cwd = NULL;
}

bool output_names_is_recorded(const struct attribution *attribution)
{
	return is_open(attribution_task(attribution));
}

int64_t output_names_since(const struct attribution *attribution)
{
	const struct task *task = attribution_task(attribution);

	if (!task)
		return 0;
	return task->record.ended_at ? task->record.ended_at : task->record.started_at;
}

/* Bytes of path without the last `levels` parts; 0: it has none left. */
static size_t parent_len(const char *path, size_t levels)
{
	size_t len = strlen(path);

	for (; levels > 0 && len > 0; levels--)
		while (len > 0 && path[--len] != '/')
			;
	return len;
}

/* "" where it lies elsewhere. */
static const char *below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return len > 0 && strncmp(path, folder, len) == 0 && path[len] == '/' ? path + len + 1 : "";
}

bool output_names_record(const struct attribution *attribution, size_t index,
			 char ret[OUTPUT_PATH_LIMIT])
{
	const struct task *task = attribution_task(attribution);
	size_t file = index / PER_FILE, form = index % PER_FILE;
	char key[OUTPUT_PATH_LIMIT];
	const char *path;

	if (!is_open(task) || file >= task->output_count)
		return false;
	ret[0] = '\0';
	path = task->outputs[file].path;
	if (!path || !task->outputs[file].written)
		return true;
	if (form % 2 == 0)
		path = below(path, task->cwd ? task->cwd : "");
	(void)snprintf(key, sizeof(key), "%.*s", (int)parent_len(path, form / 2), path);
	if (*key && !task->run->engine->output_record(key, ret, OUTPUT_PATH_LIMIT))
		ret[0] = '\0';
	return true;
}

/* Keeps one task of each rule, to name others by comparing them. */
static void keep(struct run *run, struct task *task)
{
	for (size_t i = 0; i < run->rule_count; i++)
		if (strcmp(run->rules[i]->record.step, task->record.step) == 0)
			return;
	if (run->rule_count == RUN_STEP_LIMIT)
		return;
	if (!run->rules)
		run->rules = calloc(RUN_STEP_LIMIT, sizeof(struct task *));
	if (!run->rules)
		return;
	run->rules[run->rule_count++] = task;
	entity_ref(&task->entity);
}

static void name(struct tree *tree, struct task *task, const char *step)
{
	char sample[RECORD_NAME_LIMIT + 1];

	(void)snprintf(sample, sizeof(sample), "%s", task->record.sample);
	task_set_name(task, step, sample);
	output_names_clear(task);
	entity_changed(&tree->entities, &task->entity);
}

void output_names_apply(struct tree *tree, const struct attribution *attribution, const char *step)
{
	struct task *task = attribution_task(attribution);

	if (!is_open(task) || !*step)
		return;
	name(tree, task, step);
	keep(task->run, task);
}

static bool is_sibling(const struct tree *tree, const struct task *a, const struct task *b)
{
	const struct sibling one = { task_text(a), a->root_len, a->record.sample };
	const struct sibling other = { task_text(b), b->root_len, b->record.sample };

	char label_a[SHAPE_LABEL_SIZE], label_b[SHAPE_LABEL_SIZE];

	shape_label(&a->shape, task_text(a), label_a);
	shape_label(&b->shape, task_text(b), label_b);
	return strcmp(label_a, label_b) == 0 && sibling_is(tree->rules, &one, &other);
}

void output_names_infer(struct tree *tree, const struct attribution *attribution)
{
	struct task *task = attribution_task(attribution);
	const struct task *found = NULL;
	bool several = false;

	if (!is_open(task))
		return;
	for (size_t i = 0; i < task->run->rule_count; i++) {
		if (!is_sibling(tree, task, task->run->rules[i]))
			continue;
		several |= found != NULL;
		found = task->run->rules[i];
	}
	if (found && !several)
		name(tree, task, found->record.step);
}

void output_names_close(const struct attribution *attribution)
{
	struct run *run = attribution->run;

	while (run && run->rule_count > 0)
		task_unref(run->rules[--run->rule_count]);
}

bool output_names_run_is_over(const struct attribution *attribution)
{
	return !attribution->run || !attribution->run->entity.live;
}
