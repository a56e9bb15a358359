/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "tune/replay/replay_run.h"

/*
 * What is lost where a machine is taken back at an instant that has nothing to do with the work:
 * half of each task that runs then, if tasks are done again alone; half of the run if not. Pure.
 */
#define SPOT_START_NS 120e9 /* until another machine is there */

/* Of the wall time of a run, with the start of another machine. */
double spot_lost_ns(const struct replay_run *run, bool restartable);
/* Of one task at an instant at which it runs, from the sums of the lengths of all and of their
 * squares: half of it, longer ones being hit more often. */
double spot_lost_of(double sum_ns, double squares_ns2);
