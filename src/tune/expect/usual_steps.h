/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/expect/usual.h"

/* The steps of a run beside their histories, and whether each is as usual. Pure. */
struct usual_step {
	const char *name;            /* the caller's */
	struct step_history history; /* points to the caller's tasks */
	struct usual usual;
};

struct usual_steps {
	struct usual_step *items;
	size_t count, capacity;
	size_t history_runs; /* the most that a step has */
	size_t runs_missing; /* the least that a step needs; 0: of one there is enough */
};

/* Adds a step of the run with its attempts in all runs, of which those of this run are some. 0 or
 * -ENOMEM. usual_steps_clear in any case. */
int usual_steps_add(struct usual_steps *steps, const char *name, const struct step_task *tasks,
		    size_t count, const char *run_id);
void usual_steps_clear(struct usual_steps *steps);
/* How many steps are not as usual; *ret_known: how many have enough history to say so. */
size_t usual_steps_unusual(const struct usual_steps *steps, size_t *ret_known);
