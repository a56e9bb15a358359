/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "gpu/line.h"
#include "gpu/source.h"

/* The processes on one device in one reading; each pid is there once. */
struct processes {
	struct gpu_process list[GPU_PROCESSES_MAX];
	size_t count;
};

/* The entry of this pid; a new one has no known figure. NULL: the pid is impossible, or the list is
 * full. */
struct gpu_process *processes_get(struct processes *processes, uint32_t pid);
/* Adds to a figure that may be GPU_UNKNOWN, which then becomes known. */
void processes_add(uint64_t *figure, uint64_t more);
/* Appends a line for each process. */
void processes_write(struct processes *processes, const char *uuid, struct buffer *out);
