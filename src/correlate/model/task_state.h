/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * The state of a task. A table says which state can follow which (docs/design/states.md prints it);
 * a transition that is not in it is a bug, which ends a debug build.
 */
enum task_state {
	TASK_NEW,            /* no work was seen in it yet; it is not reported */
	TASK_SUBMITTED,      /* the client that gives it to a scheduler runs; it is not reported */
	TASK_QUEUED,         /* reported; it has not begun (queue.h) */
	TASK_SETTLING,       /* work was seen, but it may still become a part of another task
				(pipe_tasks.h): its report waits for tree_settle */
	TASK_RUNNING,        /* reported */
	TASK_ENDED_SETTLING, /* it ended while its report waited */
	TASK_ENDED,          /* reported, ended */
	TASK_DROPPED,        /* it ended, and no work was seen in it; it is not reported */
	TASK_MERGED,         /* it became a part of another task */
	TASK_STATES
};

/* Whether `to` can follow `from`. */
bool task_state_allows(enum task_state from, enum task_state to);
/* The state after the transition: `to`; one that is not in the table leaves the state `from`. */
enum task_state task_state_next(enum task_state from, enum task_state to);
/* Whether records name a task in this state. */
bool task_state_is_reported(enum task_state state);
/* As in docs/design/states.md. */
const char *task_state_name(enum task_state state);
