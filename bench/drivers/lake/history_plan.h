/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * How much a history has. 100 M samples of 400 hosts: 1 M executions, 2,000 runs (one has 200,000
 * executions, on a host of its own) within two days. Other sizes have the same proportions.
 *
 * Each host has its runs one after another. A run has lanes: a lane has one execution at a time.
 * Successive executions of a lane make a task.
 */
#define HISTORY_DAYS    2
#define HISTORY_ROUNDS  (HISTORY_DAYS * 17280u) /* samples of a host in that time */
#define HISTORY_SLICE   120u                    /* rounds in one batch */
#define HISTORY_BATCHES (HISTORY_ROUNDS / HISTORY_SLICE)

struct history_plan {
	unsigned hosts;
	unsigned runs_of_host; /* of each but the first, which has one large run */
};

struct history_run {
	unsigned number;
	unsigned lanes, executions;
	unsigned life; /* samples of an execution, on average */
	unsigned task; /* executions of a task */
	unsigned steps;
	uint32_t first_round; /* of the host */
};

/* At least two hosts. */
struct history_plan history_plan_of(unsigned hosts);
/* The n-th run of a host. */
struct history_run history_plan_run(const struct history_plan *plan, unsigned samples_k,
				    unsigned host, unsigned n);
unsigned history_plan_runs(const struct history_plan *plan, unsigned host);
/* Samples of an execution: from half of the average to one and a half. */
unsigned history_plan_life(const struct history_run *run, unsigned execution);
