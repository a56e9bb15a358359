/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/model/task.h"

/* A task ends when the last of its roots ends. Its outcome is that of the root that started last;
 * where all roots are equal, that of one that failed. */

uint32_t task_root(struct task *task, uint64_t start_ns, uint32_t rank)
{
	task->roots++;
	task->waited = false;
	if (start_ns >= task->last_start_ns) {
		task->last_start_ns = start_ns;
		task->last_rank = rank;
	}
	return rank;
}

bool task_unroot(struct task *task, uint32_t rank, struct ending *end)
{
	if (task->by_worst ? ending_failed(end) || !ending_failed(&task->end)
			   : rank == task->last_rank)
		task->end = *end;
	if (--task->roots > 0)
		return false;
	task->end.ended_at = end->ended_at;
	if (ending_failed(&task->part) && !ending_failed(&task->end)) {
		task->end.exit_code = task->part.exit_code;
		task->end.signal = task->part.signal;
	}
	*end = task->end;
	return true;
}

void task_part_ended(struct task *task, const struct ending *end)
{
	if (task && !ending_failed(&task->part))
		task->part = *end;
}

bool task_waits_for_pipe(const struct task *task)
{
	return task->entity.live && task->roots == 0 &&
	       (task->state == TASK_NEW || task->state == TASK_SETTLING ||
		task->state == TASK_RUNNING);
}
