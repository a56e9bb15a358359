/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/tree/tree_private.h"

#include "correlate/model/run.h"
#include "correlate/model/task.h"

struct task *attribution_task(const struct attribution *attribution)
{
	return task_resolve(attribution->task);
}

void attribution_set_run(struct attribution *attribution, struct run *run)
{
	attribution->run = run;
	entity_ref(&run->entity);
}

void attribution_set_task(struct attribution *attribution, struct task *task)
{
	attribution->task = task;
	entity_ref(&task->entity);
}

void attribution_drop_task(struct attribution *attribution)
{
	task_unref(attribution->task);
	attribution->task = NULL;
}

void attribution_clear(struct attribution *attribution)
{
	attribution_drop_task(attribution);
	if (attribution->run)
		entity_unref(&attribution->run->entity);
	*attribution = (struct attribution){ 0 };
}

const char *attribution_run_id(const struct attribution *attribution)
{
	return attribution->run && run_is_reported(attribution->run)
		       ? attribution->run->record.run_id
		       : "";
}

const char *attribution_task_id(const struct attribution *attribution)
{
	struct task *task = attribution_task(attribution);

	return task && task_is_reported(task) ? task_id(task) : "";
}

bool attribution_is_settled(const struct attribution *attribution)
{
	const struct task *task = attribution_task(attribution);

	return attribution->run && run_is_reported(attribution->run) &&
	       (!task || task_is_reported(task) || !task->entity.live);
}

void attribution_task_words(const struct attribution *attribution, const char **ret_step,
			    const char **ret_sample)
{
	const struct task *task = attribution_task(attribution);
	const Signal__Task *record =
		task && task_is_reported(task) && (task->named || !task_is_run_root(task))
			? &task->record
			: NULL;

	*ret_step = record ? *record->step ? record->step : record->name : "";
	*ret_sample = record ? record->sample : "";
}
