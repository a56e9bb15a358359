/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tune/history/step_task.h"
#include "tune/slowness/slow_path.h"
#include "tune/wall.h"

/*
 * A run as the comparison of two runs reads it. All of it stays the caller's. "" and numbers below
 * 0 are "unknown", as in step_task.h.
 */

/* A span of what the run waited for. */
struct diff_span {
	struct slow_span span; /* its task is one of the run's, or SLOW_ENGINE */
	struct wall wall;      /* where its time went; all 0: not known. Not read where it waits */
};

struct diff_run {
	const char *id, *pipeline, *engine;
	bool running;    /* it has not ended: only what its tasks that ended did is compared */
	int64_t wall_ns; /* the spans add up to it */
	const struct step_task *tasks; /* any order */
	size_t task_count;
	/* Beside tasks: the share of their waiting for disk that was for file systems of other
	 * machines. NULL: not known. */
	const double *shared_disk;
	const struct diff_span *spans;
	size_t span_count;
	double cpus;  /* of its hosts together */
	double slots; /* that its tasks took at most */
};
