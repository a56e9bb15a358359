/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/model/task_state.h"

#include "base/log.h"

#include <assert.h>

#define TO(state) (1u << (state))

static const unsigned transitions[TASK_STATES] = {
	[TASK_NEW] = TO(TASK_SUBMITTED) | TO(TASK_QUEUED) | TO(TASK_SETTLING) | TO(TASK_RUNNING) |
		     TO(TASK_DROPPED) | TO(TASK_MERGED),
	/* It may begin before its client ends. */
	[TASK_SUBMITTED] = TO(TASK_QUEUED) | TO(TASK_RUNNING) | TO(TASK_DROPPED),
	[TASK_QUEUED] = TO(TASK_RUNNING) | TO(TASK_ENDED),
	[TASK_SETTLING] = TO(TASK_RUNNING) | TO(TASK_ENDED_SETTLING) | TO(TASK_MERGED),
	/* As long as its id was not given out, it can still become a part of another. */
	[TASK_RUNNING] = TO(TASK_ENDED) | TO(TASK_MERGED),
	[TASK_ENDED_SETTLING] = TO(TASK_ENDED),
	/* A process that outlived the task's roots did work. */
	[TASK_DROPPED] = TO(TASK_SETTLING),
};

bool task_state_allows(enum task_state from, enum task_state to)
{
	return transitions[from] & TO(to);
}

enum task_state task_state_next(enum task_state from, enum task_state to)
{
	if (task_state_allows(from, to))
		return to;
	log_error("a task that is %s cannot become %s", task_state_name(from), task_state_name(to));
	assert(!"a transition that is not in the table");
	return from;
}

bool task_state_is_reported(enum task_state state)
{
	return state == TASK_QUEUED || state == TASK_SETTLING || state == TASK_RUNNING ||
	       state == TASK_ENDED_SETTLING || state == TASK_ENDED;
}

const char *task_state_name(enum task_state state)
{
	static const char *const names[TASK_STATES] = {
		[TASK_NEW] = "new",         [TASK_SUBMITTED] = "submitted",
		[TASK_QUEUED] = "queued",   [TASK_SETTLING] = "settling",
		[TASK_RUNNING] = "running", [TASK_ENDED_SETTLING] = "ended, settling",
		[TASK_ENDED] = "ended",     [TASK_DROPPED] = "dropped",
		[TASK_MERGED] = "merged",
	};

	return names[state];
}
