/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tune/history/step_task.h"

/* The tasks of a run by their step. Pure. */
struct step_group {
	const char *step; /* of its tasks: "" is one, too */
	const size_t *tasks;
	size_t count; /* at least 1 */
	bool is_rest; /* of this step and all after it in the order of names */
};

struct step_groups {
	struct step_group *items; /* by the name of the step */
	size_t count;
	size_t *tasks;   /* what the items point into */
	size_t *of_task; /* beside the tasks: the number of its group */
};

/* 0, or -ENOMEM; step_groups_clear in any case. The names stay those of the tasks. */
int step_groups_make(struct step_groups *groups, const struct step_task *tasks, size_t count);
/* The steps of two runs with more than `most` names together: those that come first keep groups of
 * their own, the others of a run become one, of the same name in both. */
void step_groups_limit(struct step_groups *from, struct step_groups *to, size_t most);
void step_groups_clear(struct step_groups *groups);
