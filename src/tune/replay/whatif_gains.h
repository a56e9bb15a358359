/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/replay_graph.h"
#include "tune/replay/whatif.h"

/* Which step to attack first. Pure. */

/* The job takes this part of its time; what its engine does for it stays. */
void whatif_job_shorten(struct replay_job *job, double factor);
/* Fills whatif->gains for the steps that take most time, at most WHATIF_STEPS_MAX. 0, or -ENOMEM.
 */
int whatif_gains_find(const struct replay_run *run, const struct replay_graph *graph,
		      const struct replay_host *host, double correction, struct whatif *whatif);
