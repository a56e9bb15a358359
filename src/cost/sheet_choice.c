/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/sheet_choice.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "cost/policy/policy.h"

static const char *run_pipeline(const struct sheet_run *run)
{
	return run->pipeline;
}

static const char *run_user(const struct sheet_run *run)
{
	return run->user;
}

static const char *task_sample(const struct sheet_task *task)
{
	return task->sample;
}

static const char *task_container(const struct sheet_task *task)
{
	return task->container;
}

static const char *task_pod(const struct sheet_task *task)
{
	return task->pod;
}

static const char *host_name(const struct sheet_host *host)
{
	return host->hostname;
}

static const char *host_instance(const struct sheet_host *host)
{
	return *host->instance_type ? host->instance_type : host->hostname;
}

/* Steps, tasks and runs have names of their own (sheet_rows.c, run_name). */
static const struct sheet_key KEYS[] = {
	{ "pipeline", SHEET_OF_RUN, run_pipeline, NULL, NULL },
	{ "run", SHEET_OF_RUN, NULL, NULL, NULL },
	{ "step", SHEET_OF_TASK, NULL, NULL, NULL },
	{ "task", SHEET_OF_TASK, NULL, NULL, NULL },
	{ "tool", SHEET_OF_TOOL, NULL, NULL, NULL },
	{ "sample", SHEET_OF_TASK, NULL, task_sample, NULL },
	{ "user", SHEET_OF_RUN, run_user, NULL, NULL },
	{ "host", SHEET_OF_HOST, NULL, NULL, host_name },
	{ "instance", SHEET_OF_HOST, NULL, NULL, host_instance },
	{ "container", SHEET_OF_TASK, NULL, task_container, NULL },
	{ "pod", SHEET_OF_TASK, NULL, task_pod, NULL },
	{ "day", SHEET_OF_TIME, NULL, NULL, NULL },
	{ "label", SHEET_OF_RUN, NULL, NULL, NULL },
	{ "cost_centre", SHEET_OF_RUN, NULL, NULL, NULL },
};

const struct sheet_key *sheet_key_find(const char *name)
{
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		if (strcmp(KEYS[i].name, name) == 0)
			return &KEYS[i];
	return NULL;
}

/* The value of a label of a run; the caller frees it. NULL: it has none of this key. */
static char *label_of(const struct sheet_run *run, const char *key)
{
	json_t *labels = json_loads(run->labels, 0, NULL);
	const char *value = json_string_value(json_object_get(labels, key));
	char *copy = value ? strdup(value) : NULL;

	json_decref(labels);
	return copy;
}

static bool fits(const char *wanted, const char *has)
{
	return !wanted || strcmp(wanted, has) == 0;
}

static bool fits_label(const struct sheet_choice *choice, const struct sheet_run *run)
{
	char *value;
	bool good;

	if (!choice->label_key)
		return true;
	value = label_of(run, choice->label_key);
	good = value && fits(choice->label_value, value);
	free(value);
	return good;
}

/* Names of runs are not unique: one that another run has gets its id, too. */
static char *run_name(const struct sheet_run *run, struct map *names)
{
	struct map_text_key key = map_text_key(run->name, strlen(run->name));
	bool unique = *run->name && !map_get(names, &key);
	char *name = NULL;

	if (map_put(names, &key, names))
		return NULL;
	if (unique)
		return strdup(run->name);
	return asprintf(&name, "%s%s%s", run->name, *run->name ? " " : "", run->id) < 0 ? NULL
											: name;
}

static char *centre_of(const struct sheet_choice *choice, const struct sheet_run *run)
{
	const char *centre = choice->policy ? cost_policy_centre(choice->policy, run->labels,
								 run->user, run->pipeline, run->cwd)
					    : NULL;

	return strdup(centre ? centre : "");
}

static char *run_key(const struct sheet_choice *choice, const struct sheet_key *key,
		     const struct sheet_run *run, struct map *names)
{
	char *value;

	if (key->of_run)
		return strdup(key->of_run(run));
	if (strcmp(key->name, "run") == 0)
		return run_name(run, names);
	if (strcmp(key->name, "label") != 0)
		return centre_of(choice, run);
	value = label_of(run, choice->label);
	return value ? value : strdup("");
}

int sheet_choose(const struct sheet *sheet, const struct sheet_choice *choice,
		 struct sheet_chosen *ret)
{
	struct map *names = map_new_of_texts(sheet->run_count + 1);
	int rc = names ? 0 : -ENOMEM;

	*ret = (struct sheet_chosen){ .key = sheet_key_find(choice->by),
				      .count = sheet->run_count };
	ret->runs = calloc(sheet->run_count + 1, sizeof(*ret->runs));
	ret->keys = calloc(sheet->run_count + 1, sizeof(*ret->keys));
	if (!ret->runs || !ret->keys)
		rc = -ENOMEM;
	for (size_t i = 0; rc == 0 && i < sheet->run_count; i++) {
		const struct sheet_run *run = &sheet->runs[i];

		ret->runs[i] = (!choice->readable || choice->readable[i]) &&
			       fits(choice->pipeline, run->pipeline) &&
			       fits(choice->run, run->id) && fits(choice->user, run->user) &&
			       fits_label(choice, run);
		if (!ret->runs[i] || ret->key->level != SHEET_OF_RUN)
			continue;
		ret->keys[i] = run_key(choice, ret->key, run, names);
		rc = ret->keys[i] ? 0 : -ENOMEM;
	}
	map_free(names);
	return rc;
}

void sheet_chosen_clear(struct sheet_chosen *chosen)
{
	for (size_t i = 0; chosen->keys && i < chosen->count; i++)
		free(chosen->keys[i]);
	free(chosen->keys);
	free(chosen->runs);
}

void sheet_engine_name(const struct sheet_run *run, char ret[SHEET_ENGINE_SIZE])
{
	snprintf(ret, SHEET_ENGINE_SIZE, "(%.200s itself)", *run->engine ? run->engine : "engine");
}

static bool fits_step(const struct sheet *sheet, const char *step, const struct sheet_task *task)
{
	char engine[SHEET_ENGINE_SIZE];

	if (!step || *task->id)
		return fits(step, task->step);
	sheet_engine_name(&sheet->runs[task->run], engine);
	return fits(step, engine);
}

bool sheet_chooses(const struct sheet *sheet, const struct sheet_choice *choice,
		   const struct sheet_task *task)
{
	return fits_step(sheet, choice->step, task) && fits(choice->sample, task->sample) &&
	       fits(choice->task, task->id) && fits(choice->host, sheet->hosts[task->host].id);
}

bool sheet_is_partial(const struct sheet_choice *choice)
{
	return choice->pipeline || choice->run || choice->step || choice->user || choice->sample ||
	       choice->task || choice->label_key || choice->readable;
}
