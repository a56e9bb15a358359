/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tune/history/step_task.h"

/* What the attempts of a step needed of one thing. Pure. */

/* A thing that is requested. */
struct size_quantity {
	double (*need)(const struct step_task *task);  /* what it used; 0 or less: not known */
	double (*asked)(const struct step_task *task); /* 0 or less: not known */
	enum step_task_end ran_out; /* an attempt with this end needed more than it used */
	double risk;                /* of a first try that needs more; 0: shared with other steps */
	/* At least so much is added: as a part of the amount, and in all. */
	double margin, least_margin;
};

extern const struct size_quantity size_quantity_memory, size_quantity_time, size_quantity_disk;

struct size_point {
	double input; /* bytes; below 0: not known */
	double need;
	double asked; /* 0 or less: nothing */
	double hours; /* it ran */
};

struct size_points {
	struct size_point *points; /* by input */
	size_t count;
	size_t runs;
	size_t ran_out;   /* attempts that did */
	double highest;   /* need, as seen; 0: none */
	double short_of;  /* the most with which an attempt ran out that no later one explains; 0 */
	double requested; /* by the latest task; -1 */
};

/* An attempt that ran out is taken to need so many times of what it had, until a later attempt of
 * the same task shows it. */
#define SIZE_RAN_OUT_FACTOR 1.5

/*
 * tasks: of one step, count > 0, in any order; they are sorted again. Attempts that succeeded count
 * for what they used, those that ran out for more than that, other failures only where they used
 * more than the median of those that succeeded. Where no attempt ran out, those that asked for
 * another number of CPUs than most are left out: more threads need more memory and less time. 0, or
 * -ENOMEM; size_points_clear in any case.
 */
int size_points_make(const struct step_task **tasks, size_t count,
		     const struct size_quantity *quantity, struct size_points *ret);
void size_points_clear(struct size_points *points);
