/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "gpu/line.h"
#include "gpu/source.h"

/* The processes on one device in one reading; each pid stands once. */
struct processes {
	struct gpu_process list[GPU_PROCESSES_MAX];
	size_t count;
};

/* The entry of this pid, made with nothing known where there was none. NULL: no such pid can be, or
 * the list is full. */
struct gpu_process *processes_get(struct processes *processes, uint32_t pid);
/* Adds to what may be unknown. */
void processes_add(uint64_t *figure, uint64_t more);
/* A line each. */
void processes_write(struct processes *processes, const char *uuid, struct buffer *out);
