/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/model/entity.h"

#include "correlate/model/run.h"
#include "correlate/model/task.h"

void entities_init(struct entities *entities)
{
	*entities = (struct entities){ .last_change = &entities->first_change };
}

/* Tasks first: they let go of their runs. References that others hold no longer count. */
void entities_clear(struct entities *entities)
{
	for (struct entity *entity = entities->all; entity; entity = entity->next)
		entity->references += !entity->is_task;
	for (struct entity *entity = entities->all; entity; entity = entity->next) {
		if (entity->is_task)
			((struct task *)entity)->merged = NULL;
		else
			run_forget((struct run *)entity);
	}
	for (int is_task = 1; is_task >= 0; is_task--) {
		for (struct entity *entity = entities->all, *next; entity; entity = next) {
			next = entity->next;
			if (entity->is_task != is_task)
				continue;
			entity->references = 1;
			entity_unref(entity);
		}
	}
}

void entity_begin(struct entities *entities, struct entity *entity, bool is_task)
{
	*entity = (struct entity){ .next = entities->all,
				   .link = &entities->all,
				   .references = 1,
				   .is_task = is_task,
				   .live = true };
	if (entity->next)
		entity->next->link = &entity->next;
	entities->all = entity;
	*(is_task ? &entities->live_tasks : &entities->live_runs) += 1;
}

void entity_end(struct entities *entities, struct entity *entity)
{
	if (!entity->live)
		return;
	entity->live = false;
	*(entity->is_task ? &entities->live_tasks : &entities->live_runs) -= 1;
	entity_unref(entity);
}

void entity_changed(struct entities *entities, struct entity *entity)
{
	if (entity->waiting)
		return;
	entity->waiting = true;
	entity->next_change = NULL;
	*entities->last_change = entity;
	entities->last_change = &entity->next_change;
	entity_ref(entity);
}

struct entity *entity_next_change(struct entities *entities)
{
	struct entity *entity = entities->first_change;

	if (!entity)
		return NULL;
	entities->first_change = entity->next_change;
	if (!entities->first_change)
		entities->last_change = &entities->first_change;
	entity->waiting = false;
	return entity;
}

void entity_ref(struct entity *entity)
{
	if (entity)
		entity->references++;
}

void entity_unref(struct entity *entity)
{
	if (!entity || --entity->references > 0)
		return;
	*entity->link = entity->next;
	if (entity->next)
		entity->next->link = entity->link;
	if (entity->is_task)
		task_free((struct task *)entity);
	else
		run_free((struct run *)entity);
}
