/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/history/step_history.h"

/*
 * What a run's tasks of a step are compared with: the tasks that succeeded in runs that began
 * before it. Those of the same host type and tools alone where there are enough of them. Pure.
 */

/* So many runs of the same host type and tools are enough to leave out the others. */
#define BASELINE_RUNS_ALIKE 5

struct baseline {
	struct step_history history; /* owned */
	bool same_host;              /* its tasks ran on the host type of the run */
	bool same_tools;             /* with the same versions of tools */
	/* At least half of the run's tasks ran on host types that it has not seen. */
	bool other_host;
};

/* run_id need not be in the history: all runs are earlier then. 0 or -ENOMEM; sets *ret, which
 * baseline_clear frees. */
int baseline_find(const struct step_history *history, const char *run_id, struct baseline *ret);
/* The tasks of the run itself that succeeded: for what there is no other run of. 0 or -ENOMEM. */
int baseline_own(const struct step_history *history, const struct step_history_run *run,
		 struct step_history *ret);
void baseline_clear(struct baseline *baseline);
