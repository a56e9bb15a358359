/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/size/size.h"

/*
 * tasks: attempts of one step, of which those count that succeeded. Advises the fewest CPUs with
 * which no more than a twentieth of the tasks would take longer by more than `slowdown`, even if a
 * task computes on one CPU for a while and on all of its CPUs for the rest. Pure. 0, or -ENOMEM.
 */
int size_cpus_find(const struct step_task *const *tasks, size_t count, double slowdown,
		   struct size_cpus *ret);
