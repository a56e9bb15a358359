/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/memory_scope.h"

#include <string.h>

/* Of a limit, the part that the task itself must have held for it to be the task's own fault. */
#define OWN_SHARE 0.5

static uint64_t add(uint64_t sum, uint64_t bytes)
{
	return sum + bytes < sum ? UINT64_MAX : sum + bytes;
}

/* The peaks of the processes of the same task that were alive then. */
static uint64_t held_bytes(const struct failure_case *failure, const struct failure_event *event)
{
	const struct failure_facts *facts = failure->facts;
	size_t task = facts->processes[event->process].task;
	const char *host = facts->process_facts[event->process].host_id;
	uint64_t sum = 0;

	for (size_t i = 0; i < facts->process_count; i++) {
		const struct tree_process *process = &facts->processes[i];

		if (process->task == task && process->started_at <= event->at &&
		    (!process->ended_at || process->ended_at >= event->at) &&
		    strcmp(facts->process_facts[i].host_id, host) == 0)
			sum = add(sum, facts->process_facts[i].rss_peak_bytes);
	}
	return sum;
}

struct memory_scope memory_scope(const struct failure_case *failure,
				 const struct failure_event *event)
{
	struct memory_scope scope = {
		.kind = SCOPE_TASK,
		.task_bytes = held_bytes(failure, event),
		.needed_bytes = failure->task ? failure->task->later_peak_bytes : 0,
	};

	if (!event->limit_bytes)
		scope.kind = SCOPE_HOST;
	else if (scope.task_bytes > 0 &&
		 (double)scope.task_bytes < OWN_SHARE * (double)event->limit_bytes)
		scope.kind = SCOPE_SIBLING;
	return scope;
}

const char *memory_scope_name(enum memory_scope_kind kind)
{
	static const char *const names[] = {
		[SCOPE_TASK] = "task",
		[SCOPE_SIBLING] = "sibling",
		[SCOPE_HOST] = "host",
	};

	return names[kind];
}
