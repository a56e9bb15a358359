/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/history/step_task.h"

/*
 * Tasks of a step over runs, as a history has them. Same calls give same tasks.
 */
#define STEPS_MOST 4096

struct steps {
	struct step_task tasks[STEPS_MOST];
	char texts[STEPS_MOST][2][24]; /* run, id */
	size_t count;
};

/* Begins without tasks. */
void steps_begin(struct steps *steps);
/* A task of 100 s wall time, 80 s CPU, 1 GB of memory and of inputs, that succeeded in run `run`
 * (from 1; it began on day `run`). The caller changes what it needs. */
struct step_task *steps_add(struct steps *steps, unsigned run);
/* `tasks` of them that vary by some percent from task to task and from run to run. */
void steps_add_run(struct steps *steps, unsigned run, unsigned tasks);
/* Multiplies wall time, CPU and each class of wall time. */
void steps_slow(struct step_task *task, double factor);

/* Like assert_float_equal, with the precision of a double. */
void assert_near(double seen, double wanted, double tolerance);

/* The tasks of a table of tests/data/nfcore ("rnaseq", "methylseq"), 708 at most; what they read is
 * taken for their input and for what they read from disk. Freed by nfcore_free. */
struct step_task *nfcore_read(const char *name, size_t *ret_count);
void nfcore_free(struct step_task *tasks);
/* Those of a step, by the end of its name. So many. */
size_t nfcore_step(const struct step_task *tasks, size_t count, const char *step,
		   struct step_task *ret);
