/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "tune/replay/replay_run.h"

/* On how many CPUs threads of a run could be at once: one, or more. */
struct wake_cost {
	bool had_several; /* when it was measured */
	bool has_several; /* where it is replayed */
};

/*
 * The CPU time of a task otherwise, divided by what it was. Programs of a pipe wake each other, and
 * to wake a thread that is on another CPU costs both of them: an interrupt, and data that the other
 * one's cache does not have. On one CPU that is saved. Pure.
 */
double wake_cost_factor(const struct wake_cost *cost, const struct replay_task *task);
