/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/expect/end/run_plan.h"

/*
 * Plays the rest of a run many times, each time with other wall times that are possible. Pure: the
 * chance is that of a fixed sequence, so equal plans have equal results.
 */
struct run_simulation {
	size_t count;      /* how often */
	double *run_ends;  /* of each time, in ns from now on; owned */
	double *step_ends; /* the same of each step: [step * count + time]; owned */
	double *work_ns;   /* of each step the mean wall time that its tasks still need; owned */
};

/* 0 or -ENOMEM; sets *ret, which run_simulation_clear frees. */
int run_simulate(const struct run_plan *plan, struct run_simulation *ret);
void run_simulation_clear(struct run_simulation *simulation);
