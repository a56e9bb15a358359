/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tune/history/step_task.h"

/*
 * What to request for the tasks of a step, from the history of all steps of a pipeline
 * (docs/sizes.md, Sizes). Pure. Bytes and ns; -1 is "not known".
 */
enum size_basis {
	SIZE_UNKNOWN, /* nothing was measured */
	/* Not enough history: what is requested now; or, where that is less, a multiple of the most
	 * that was seen, the smaller the more tasks there were. */
	SIZE_AS_REQUESTED,
	SIZE_CAUTIOUS,
	SIZE_CONSTANT, /* the same for each task */
	SIZE_LINEAR,   /* it grows with the bytes of the task's input */
};

/* How much of one thing to request. */
struct size_amount {
	enum size_basis basis;
	/* For the step as a whole: of a linear one, enough for the largest input that was seen. */
	double advised;
	/* For a task: (intercept + slope * input) * factor, at least `least`, and at most `most`
	 * where that is above 0; of a linear one for inputs up to the largest that was seen. Of a
	 * constant one the slope is 0. */
	double intercept, slope, factor, least, most, largest_input;
	/* Of a constant one, for inputs above the largest: times (input / largest_input) to this
	 * power, 0 to 1; 1 where it is not known whether it grows. */
	double growth;
	double risk;        /* that a first try needs more than that, by this history; -1 */
	double highest;     /* the most that an attempt needed; of one that ran out: at least */
	double requested;   /* by the latest task; -1 */
	size_t tasks, runs; /* that it rests on */
	bool enough;        /* false: the first three of the bases */
	/* Until more history would hardly change it: the margin for having few tasks is below a
	 * tenth, and more than one run was seen. 0: it is sure. */
	size_t needs_tasks, needs_runs;
};

struct size_cpus {
	double advised, requested;
	double used, used_high; /* CPUs in use: the median of the tasks, and all but a twentieth */
	/* The wall time with the advised CPUs relative to now, at worst: if the tasks use either
	 * one CPU or all of them. */
	double slowdown;
	bool wants_more; /* it uses all that it has, or waits for free CPUs */
	size_t tasks;
};

#define SIZE_ATTEMPTS 3

struct step_size {
	const char *step; /* of the caller's tasks */
	struct size_amount memory, time, disk;
	struct size_cpus cpus;
	/* By how much the advised memory and time are multiplied in the second, third … try. */
	double escalation[SIZE_ATTEMPTS];
	size_t out_of_memory; /* attempts that were killed for memory */
	/* GB * h a task: requested and not used, now and with what is advised, failed tries and
	 * their repetition included; -1. */
	double wasted_now, wasted_then;
};

struct sizes {
	struct step_size *steps; /* in the order of the earliest task of each among the caller's */
	size_t count;
	const struct step_size **by_name; /* what sizes_find looks in */
	double risk; /* of all tasks, the share that needs more memory at the first try; -1 */
};

/* 0 is the default of each. */
struct size_options {
	double risk;          /* the most of all tasks together; default 0.01 */
	double step_risk;     /* the most of the tasks of one step; default 0.05 */
	double retry_price;   /* GB * h that a failed try costs beside what it used; default 30 */
	double least_bytes;   /* no less memory is advised; default 128 MiB */
	double cpus_slowdown; /* how much longer a task may take with fewer CPUs; default 0.05 */
};

/*
 * tasks: attempts of all steps of a pipeline, in any order, failed ones too; those that run count
 * for nothing. The risk is shared between the steps: a failure is allowed where it is cheaper than
 * the margin against it. Of a step with more than SIZE_TASKS_MAX tasks the latest ones count. Takes
 * O(n log n). 0, or -ENOMEM; sizes_clear in any case. options: NULL for the defaults.
 */
int sizes_make(const struct step_task *tasks, size_t count, const struct size_options *options,
	       struct sizes *ret);
void sizes_clear(struct sizes *sizes);
/* NULL: none of that name. */
const struct step_size *sizes_find(const struct sizes *sizes, const char *step);

#define SIZE_TASKS_MIN 3 /* fewer are not enough history */
#define SIZE_TASKS_MAX 4096

/* For a task of which that many bytes are read (below 0: not known). -1: not known. */
double size_amount_for(const struct size_amount *amount, double input_bytes);
/* What the next try needs after one that used so much memory and was killed for that. */
double size_after_failure(const struct step_size *size, double used_bytes);
/* "constant", "linear in input", "as requested", "cautious", "unknown". */
const char *size_basis_name(enum size_basis basis);
/* By how much the most that so few tasks needed is multiplied where there is not enough history. */
double size_caution(size_t tasks);
