#include "correlate/tree.h"

#include "correlate/engine.h"
#include "correlate/entity.h"
#include "correlate/limits.h"
#include "correlate/run.h"
#include "correlate/task.h"

#include "base/map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST_ID_SIZE 129

struct tree {
	const struct rules *rules;
	char host_id[HOST_ID_SIZE];
	size_t run_cap, task_cap;
	uint64_t refused;
	struct entities entities;
	struct entity *lent; /* whose record the caller looks at */
	struct map *limits;  /* of cgroups */
};

int tree_new(struct tree **ret, const struct rules *rules, const char *host_id, size_t runs,
	     size_t tasks)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return -ENOMEM;
	tree->rules = rules;
	tree->run_cap = runs;
	tree->task_cap = tasks;
	tree->limits = limits_new();
	if (!tree->limits) {
		free(tree);
		return -ENOMEM;
	}
	snprintf(tree->host_id, sizeof(tree->host_id), "%s", host_id);
	entities_init(&tree->entities);
	*ret = tree;
	return 0;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	entities_clear(&tree->entities);
	limits_free(tree->limits);
	free(tree);
}

void tree_set_rules(struct tree *tree, const struct rules *rules)
{
	tree->rules = rules;
}

uint64_t tree_refused(const struct tree *tree)
{
	return tree->refused;
}

static void place_set_run(struct place *place, struct run *run)
{
	place->run = run;
	entity_ref(&run->entity);
}

static void place_set_task(struct place *place, struct task *task)
{
	place->task = task;
	entity_ref(&task->entity);
}

static void place_clear(struct place *place)
{
	if (place->task)
		entity_unref(&place->task->entity);
	if (place->run)
		entity_unref(&place->run->entity);
	*place = (struct place){ 0 };
}

void tree_fork(struct tree *tree, const struct place *parent, struct place *child)
{
	*child = (struct place){ .role = parent->role == ROLE_NONE ? ROLE_NONE : ROLE_FORK };
	if (parent->run)
		place_set_run(child, parent->run);
	if (parent->task)
		place_set_task(child, parent->task);
}

/* What a cgroup allows was asked for, unless the whole run lives in that cgroup; a run that is one
 * task asks for what it is given. */
static void request_limits(struct tree *tree, struct task *task)
{
	struct request request;

	if (*task->record.requested_by && strcmp(task->record.requested_by, "cgroup") != 0)
		return;
	if (task->run->engine->is_task && task->run->cgroup_id == task->record.cgroup_id)
		return;
	request = limits_get(tree->limits, task->record.cgroup_id);
	if (task_request(task, request, "cgroup"))
		entity_changed(&tree->entities, &task->entity);
}

static void begin_task(struct tree *tree, struct place *place, const struct sight *sight)
{
	struct task *task = NULL;

	if (tree->entities.live_tasks < tree->task_cap)
		task = task_new(&tree->entities, tree->host_id, place->run, sight);
	if (!task) {
		tree->refused++;
		return;
	}
	place_set_task(place, task);
	place->root = true;
	task_request(task, place->run->request, "tracer run");
	request_limits(tree, task);
	entity_changed(&tree->entities, &task->entity);
}

static void announce(struct tree *tree, struct run *run)
{
	run->announced = true;
	entity_changed(&tree->entities, &run->entity);
}

static void begin_run(struct tree *tree, struct place *place, const struct engine *engine,
		      const struct sight *sight)
{
	struct run *run = NULL;

	if (tree->entities.live_runs < tree->run_cap)
		run = run_new(&tree->entities, tree->host_id, engine, sight);
	if (!run) {
		tree->refused++;
		return;
	}
	place_set_run(place, run);
	place->role = ROLE_ENGINE;
	place->root = true;
	if (engine->is_task) /* else its command is still to come */
		announce(tree, run);
}

/* `tracer run` has become its command: an engine, whose run this is, or the run's one task. */
static void become_command(struct tree *tree, struct place *place, const struct engine *engine,
			   const struct sight *sight)
{
	struct run *run = place->run;

	if (engine == run->engine)
		return;
	if (engine)
		run_adopt(run, engine, sight);
	else if (!run->announced)
		run_name_after_command(run, sight->name);
	announce(tree, run);
	if (!engine)
		begin_task(tree, place, sight);
}

/* A further process runs the engine: inside the one task of a `tracer run`, behind a wrapper, or
 * because the engine started itself again. What it starts is the run's. */
static void join_run(struct tree *tree, struct place *place, const struct engine *engine,
		     const struct sight *sight)
{
	if (place->task)
		entity_unref(&place->task->entity);
	place->task = NULL;
	place->role = ROLE_ENGINE;
	if (place->run->engine != engine) {
		run_adopt(place->run, engine, sight);
		announce(tree, place->run);
	}
	place->run->image_seq = sight->image->image_seq;
}

static void move_engine(struct tree *tree, struct place *place, const struct engine *engine,
			const struct sight *sight)
{
	if (!place->run->engine->is_task && !place->task)
		become_command(tree, place, engine, sight);
	place->run->image_seq = sight->image->image_seq;
}

/* Whether a process of a run is to be taken for the engine itself. */
static bool joins_run(const struct place *place, const struct engine *engine)
{
	return engine && engine->is_task && (!place->task || task_is_whole_run(place->task));
}

static void move(struct tree *tree, struct place *place, const struct sight *sight)
{
	const struct engine *engine = engine_of(sight->command);
	bool forked = place->role == ROLE_FORK && !place->task;

	if (engine && !engine->begins(sight))
		engine = NULL;
	if (!place->run && engine)
		begin_run(tree, place, engine, sight);
	else if (!place->run)
		return;
	else if (place->role == ROLE_ENGINE)
		move_engine(tree, place, engine, sight);
	else if (joins_run(place, engine))
		join_run(tree, place, engine, sight);
	else
		place->role = ROLE_NONE;
	if (forked && place->role == ROLE_NONE && place->run->engine->is_task &&
	    place->run->engine->is_task(place->run, sight))
		begin_task(tree, place, sight);
}

static void inside_task(struct tree *tree, struct task *task, const struct sight *sight)
{
	bool changed = task_image(task, sight);

	if (engine_of(sight->command) == &engine_tracer_run && engine_tracer_run.begins(sight))
		changed |= task_request(task, engine_tracer_run_request(sight), "tracer run");
	if (changed)
		entity_changed(&tree->entities, &task->entity);
}

void tree_exec(struct tree *tree, struct place *place, const struct place *parent,
	       const struct tree_image *image, char *tool, size_t size)
{
	struct command command;
	struct sight sight = { .image = image, .command = &command };

	command_unwrap(tree->rules, image->exe, image->argv, image->argc, &command);
	command_name(&command, sight.name, sizeof(sight.name));
	name_copy(sight.name, strlen(sight.name), tool, size);
	if (!place->run && parent && parent->run)
		tree_fork(tree, parent, place);
	move(tree, place, &sight);
	if (place->task)
		inside_task(tree, place->task, &sight);
}

static void end(struct tree *tree, struct place *place, int exit_code, int signal, bool lost,
		int64_t ended_at)
{
	if (place->root && place->task)
		task_end(&tree->entities, tree->rules, place->task, exit_code, signal, lost,
			 ended_at);
	if (place->root && place->role == ROLE_ENGINE)
		run_end(&tree->entities, place->run, exit_code, signal, lost, ended_at);
	place_clear(place);
}

void tree_exit(struct tree *tree, struct place *place, int exit_code, int signal, int64_t ended_at)
{
	end(tree, place, exit_code, signal, false, ended_at);
}

void tree_lose(struct tree *tree, struct place *place, int64_t ended_at)
{
	end(tree, place, 0, 0, true, ended_at);
}

const char *place_run_id(const struct place *place)
{
	return place->run && place->run->announced ? place->run->record.run_id : "";
}

const char *place_task_id(const struct place *place)
{
	return place->task ? place->task->record.task_id : "";
}

void place_task_words(const struct place *place, const char **ret_step, const char **ret_sample)
{
	const Signal__Task *record =
		place->task && !task_is_whole_run(place->task) ? &place->task->record : NULL;

	*ret_step = record ? *record->step ? record->step : record->name : "";
	*ret_sample = record ? record->sample : "";
}

bool tree_next_change(struct tree *tree, const Signal__Run **ret_run, const Signal__Task **ret_task)
{
	entity_unref(tree->lent);
	tree->lent = entity_next_change(&tree->entities);
	*ret_run = NULL;
	*ret_task = NULL;
	if (!tree->lent)
		return false;
	if (tree->lent->is_task)
		*ret_task = &((struct task *)tree->lent)->record;
	else
		*ret_run = &((struct run *)tree->lent)->record;
	return true;
}

void tree_retell(struct tree *tree)
{
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next)
		entity_changed(&tree->entities, entity);
}

void tree_cgroup_limits(struct tree *tree, uint64_t cgroup_id, double cpu_limit,
			uint64_t memory_limit_bytes)
{
	limits_set(tree->limits, cgroup_id,
		   (struct request){ .cpus = cpu_limit, .memory_bytes = memory_limit_bytes });
	for (struct entity *entity = tree->entities.all; entity; entity = entity->next)
		if (entity->is_task && entity->live &&
		    ((struct task *)entity)->record.cgroup_id == cgroup_id)
			request_limits(tree, (struct task *)entity);
}
