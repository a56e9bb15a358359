/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tune/critical_path.h"

/*
 * What the wall time of a run consists of: a chain of spans from its begin to its end, each of the
 * task that the run waited for then. It is the critical path; where that begins late, because no
 * file says what its first task waited for, the tasks that ended last before go on. Pure.
 */
#define SLOW_ENGINE SIZE_MAX /* no task ran: the engine, or the run's own script */

struct slow_span {
	size_t task; /* of the flow, or SLOW_ENGINE */
	bool waits;  /* its input was there, and it had not started */
	int64_t began_at, ended_at;
};

struct slow_path {
	struct slow_span *spans; /* the first first; they add up to the run's time */
	size_t count;
};

/* A task that runs has the present instant as its end here. 0, or -ENOMEM. Freed by
 * slow_path_clear. */
int slow_path_find(const struct flow *flow, struct slow_path *ret);
void slow_path_clear(struct slow_path *path);
