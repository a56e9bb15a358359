/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/tree_private.h"

#include "correlate/model/run.h"
#include "correlate/model/task.h"

struct task *place_task(const struct place *place)
{
	return task_whole(place->task);
}

void place_set_run(struct place *place, struct run *run)
{
	place->run = run;
	entity_ref(&run->entity);
}

void place_set_task(struct place *place, struct task *task)
{
	place->task = task;
	entity_ref(&task->entity);
}

void place_drop_task(struct place *place)
{
	task_unref(place->task);
	place->task = NULL;
}

void place_clear(struct place *place)
{
	place_drop_task(place);
	if (place->run)
		entity_unref(&place->run->entity);
	*place = (struct place){ 0 };
}

const char *place_run_id(const struct place *place)
{
	return place->run && place->run->announced ? place->run->record.run_id : "";
}

const char *place_task_id(const struct place *place)
{
	struct task *task = place_task(place);

	return task && task->announced ? task_id(task) : "";
}

bool place_is_settled(const struct place *place)
{
	const struct task *task = place_task(place);

	return place->run && place->run->announced &&
	       (!task || task->announced || !task->entity.live);
}

void place_task_words(const struct place *place, const char **ret_step, const char **ret_sample)
{
	const struct task *task = place_task(place);
	const Signal__Task *record =
		task && task->announced && (task->named || !task_is_whole_run(task)) ? &task->record
										     : NULL;

	*ret_step = record ? *record->step ? record->step : record->name : "";
	*ret_sample = record ? record->sample : "";
}
