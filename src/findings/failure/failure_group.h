/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/cause.h"
#include "findings/failure/failure_analysis.h"

/* Failures with the same cause, which are one finding. */
#define GROUP_NAMED 20 /* of which the tasks are named */

struct failure_group {
	const struct failure_case *first; /* the one that is described */
	struct cause cause, other;        /* other.kind NULL: there is no other cause */
	bool retried;                     /* a later attempt of each succeeded */
	bool one_step;                    /* they are all of one step */
	const struct failure_task *tasks[GROUP_NAMED];
	size_t task_count; /* of tasks, also those that are not named */
};

struct failure_groups {
	struct failure_group *items;
	size_t count;
};

/* Groups in the order of the time of their first. -ENOMEM. failure_groups_clear in any case. */
int failure_groups_make(const struct failure_analysis *analysis, struct failure_groups *ret);
void failure_groups_clear(struct failure_groups *groups);
