/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/history/step_history.h"

/*
 * Which step of a pipeline waits for which, as earlier runs show by their times: a step follows
 * another one if its tasks, in the order of their begin, never began before as large a part of the
 * other one's had ended. So a step for each sample follows by sample, and one that joins all waits
 * for all. By times alone a step may seem to follow one that it does not need. Pure.
 */
#define STEP_FLOW_STEPS 512
/* So many of the latest earlier runs are looked at. */
#define STEP_FLOW_RUNS 5
#define STEP_FLOW_NONE SIZE_MAX

struct flow_step {
	size_t tasks;    /* that succeed in a run, the median; 0: no earlier run has it */
	double start_ns; /* of its first, since the run's first of all; the median */
	double span_ns;  /* from the begin of its first to that of its last; the median */
	size_t closest;  /* of those that it follows the one that ends last before it, or NONE */
	double lag_ns;   /* from the end of that to its begin; the median */
};

struct step_flow {
	struct flow_step *steps;
	size_t step_count;
	/* follows[b * step_count + a]: b follows a, and no step between them. */
	bool *follows;
	size_t *order; /* steps by start_ns */
	size_t slots;  /* so many tasks ran at once at most, and often; 0: no such limit is seen */
	size_t run_count; /* that it rests on */
};

/* The steps' histories; runs that began before run_id are looked at. Sets *ret, which
 * step_flow_clear frees. 0, -ENOMEM, or -E2BIG beyond STEP_FLOW_STEPS. */
int step_flow_find(const struct step_history *steps, size_t step_count, const char *run_id,
		   struct step_flow *ret);
void step_flow_clear(struct step_flow *flow);

/* Of `others` tasks of a step so many must have ended before the task with this index (from 0) of
 * `tasks` may begin. */
size_t step_flow_needed(size_t index, size_t tasks, size_t others);
