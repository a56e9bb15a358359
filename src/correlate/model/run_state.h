/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * The state of a run. A table says which state can follow which (docs/design/states.md prints it);
 * a transition that is not in it is a bug, which ends a debug build.
 */
enum run_state {
	RUN_NEW,     /* no work was seen in it yet; it is not reported */
	RUN_RUNNING, /* reported */
	RUN_IDLE,    /* reported as ended; it goes on if another process of it begins
			(rootless_run.h) */
	RUN_ENDED,   /* reported, ended */
	RUN_DROPPED, /* it ended, and no work was seen in it; it is not reported */
	RUN_STATES
};

/* Whether `to` can follow `from`. */
bool run_state_allows(enum run_state from, enum run_state to);
/* The state after the transition: `to`; one that is not in the table leaves the state `from`. */
enum run_state run_state_next(enum run_state from, enum run_state to);
/* Whether records name a run in this state. */
bool run_state_is_reported(enum run_state state);
/* As in docs/design/states.md. */
const char *run_state_name(enum run_state state);
