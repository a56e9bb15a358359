/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "probe/api/probe.h"

struct tracker;

/*
 * The path of an exec: the process table, then the exec's context (exec_context.h), then the
 * listeners (listener.h) in their order.
 */

/* A process runs a new image, or is found with it. While a scan lists processes it goes there. */
void process_exec_take(struct tracker *tracker, const struct probe_image *image);
/* The same, without the detour. */
void process_exec(struct tracker *tracker, const struct probe_image *image);
/* Places each live process of no run again, as if its image came only now: those in this cgroup,
 * or, for 0, all. */
void process_exec_again(struct tracker *tracker, uint64_t cgroup_id);
