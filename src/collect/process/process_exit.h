/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "probe/api/probe.h"

struct process;
struct tracker;

/*
 * The end of processes and of their images: by an exit, by an exec, or found to be gone.
 */

/* The image that ran until now ends by an exec. A fork that execs at once was no execution of its
 * own: what it used, and its beginning, go with the image that follows (process->carries). */
void process_exit_image(struct tracker *tracker, struct process *process, uint64_t at_ns);
/* Ends a process that the table holds as alive. */
void process_exit_end(struct tracker *tracker, struct process *process, uint64_t ended_ns);
/* Records of the kernel. */
void process_exit_take(struct tracker *tracker, const struct probe_exit *exit);
void process_exit_residual(struct tracker *tracker, const struct probe_residual *residual);
