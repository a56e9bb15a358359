/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "fixture_lake.h"

/*
 * Runs of the pipeline "variants" of user "ada" on one host (4 CPUs, 16 GiB), each with four tasks
 * of step "align" that ask for 8 GiB, use about 1 GiB and two CPUs and take about 60 s, one after
 * the other.
 */
#define HISTORY_TASKS 4

struct history_run {
	const char *id;
	double began_s;      /* seconds ago */
	double factor;       /* by which its tasks take longer */
	const char *version; /* of its tool */
	int running;         /* its last task still runs, and so does the run */
};

/* Posts the run as the batch of this sequence. */
void history_post(const struct lake *lake, const struct history_run *run, uint64_t sequence);
/* Waits until so many runs of the pipeline are settled. */
void history_wait(const struct lake *lake, int runs);
