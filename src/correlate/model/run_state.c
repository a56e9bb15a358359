/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/model/run_state.h"

#include "base/log.h"

#include <assert.h>

#define TO(state) (1u << (state))

static const unsigned transitions[RUN_STATES] = {
	/* idle: the first work is seen after its last process ended */
	[RUN_NEW] = TO(RUN_RUNNING) | TO(RUN_IDLE) | TO(RUN_DROPPED),
	[RUN_RUNNING] = TO(RUN_IDLE) | TO(RUN_ENDED),
	[RUN_IDLE] = TO(RUN_RUNNING) | TO(RUN_ENDED),
	/* A process that outlived the run's root did work. */
	[RUN_DROPPED] = TO(RUN_ENDED),
};

bool run_state_allows(enum run_state from, enum run_state to)
{
	return transitions[from] & TO(to);
}

enum run_state run_state_next(enum run_state from, enum run_state to)
{
	if (run_state_allows(from, to))
		return to;
	log_error("a run that is %s cannot become %s", run_state_name(from), run_state_name(to));
	assert(!"a transition that is not in the table");
	return from;
}

bool run_state_is_reported(enum run_state state)
{
	return state == RUN_RUNNING || state == RUN_IDLE || state == RUN_ENDED;
}

const char *run_state_name(enum run_state state)
{
	static const char *const names[RUN_STATES] = { [RUN_NEW] = "new",
						       [RUN_RUNNING] = "running",
						       [RUN_IDLE] = "idle",
						       [RUN_ENDED] = "ended",
						       [RUN_DROPPED] = "dropped" };

	return names[state];
}
