/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/failure_group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX  50 /* groups; then only the kind counts */
#define GROUPS_MAX 100

static const char *path_of(const struct cause *cause)
{
	if (cause->open)
		return cause->open->path;
	return cause->event ? cause->event->path : "";
}

static const char *tool_of(const struct failure_case *failure, const struct cause *cause)
{
	const struct tree_process *process = case_process(failure, cause->process);

	return process ? process->tool : "";
}

static const char *step_of(const struct failure_case *failure)
{
	return failure->task ? failure->task->step : "";
}

static int64_t sender_of(const struct cause *cause)
{
	return cause->event ? cause->event->sender_pid : 0;
}

static bool is_same(const struct failure_group *group, const struct failure_case *failure,
		    const struct cause *cause)
{
	unsigned shared = cause->kind->shared;
	const struct cause *held = &group->cause;

	if (shared & SHARED_STEP && strcmp(step_of(group->first), step_of(failure)) != 0)
		return false;
	if (shared & SHARED_TOOL &&
	    strcmp(tool_of(group->first, held), tool_of(failure, cause)) != 0)
		return false;
	if (shared & SHARED_PATH && strcmp(path_of(held), path_of(cause)) != 0)
		return false;
	if (shared & SHARED_ADDRESS && strcmp(held->address, cause->address) != 0)
		return false;
	if (shared & SHARED_SENDER && sender_of(held) != sender_of(cause))
		return false;
	if (shared & SHARED_OTHER && held->other != cause->other)
		return false;
	return !(shared & SHARED_NUMBER) || held->number == cause->number;
}

static struct failure_group *find(struct failure_groups *groups, const struct failure_case *failure,
				  const struct cause *cause, bool retried)
{
	for (size_t i = 0; i < groups->count; i++) {
		struct failure_group *group = &groups->items[i];

		if (group->cause.kind == cause->kind && group->retried == retried &&
		    (groups->count >= EXACT_MAX || is_same(group, failure, cause)))
			return group;
	}
	return NULL;
}

static void join(struct failure_group *group, const struct failure_case *failure)
{
	if (strcmp(step_of(group->first), step_of(failure)) != 0)
		group->one_step = false;
	if (!failure->task)
		return;
	if (group->task_count < GROUP_NAMED)
		group->tasks[group->task_count] = failure->task;
	group->task_count++;
}

/* Of two causes the earlier one comes first. */
static void begin(struct failure_group *group, const struct failure_case *failure,
		  const struct cause *cause, bool retried)
{
	struct cause other;

	*group = (struct failure_group){
		.first = failure, .cause = *cause, .retried = retried, .one_step = true
	};
	if (!cause_find_other(failure, cause, &other))
		return;
	group->other = other;
	if (other.at < cause->at) {
		group->other = *cause;
		group->cause = other;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct failure_group *one = a, *other = b;

	return (one->cause.at > other->cause.at) - (one->cause.at < other->cause.at);
}

int failure_groups_make(const struct failure_analysis *analysis, struct failure_groups *ret)
{
	*ret = (struct failure_groups){ .items = calloc(GROUPS_MAX, sizeof(*ret->items)) };
	if (!ret->items)
		return -ENOMEM;
	for (size_t i = 0; i < analysis->count; i++) {
		const struct failure_case *failure = &analysis->cases[i];
		bool retried = failure->task && failure->task->later_succeeded;
		struct failure_group *group;
		struct cause cause;

		cause_find(failure, &cause);
		group = find(ret, failure, &cause, retried);
		if (!group && ret->count < GROUPS_MAX) {
			group = &ret->items[ret->count++];
			begin(group, failure, &cause, retried);
		}
		if (group)
			join(group, failure);
	}
	qsort(ret->items, ret->count, sizeof(*ret->items), by_time);
	return 0;
}

void failure_groups_clear(struct failure_groups *groups)
{
	free(groups->items);
}
