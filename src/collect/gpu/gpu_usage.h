/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/gpu/gpu_device.h"

struct process_table;
struct recorder;

/* What processes do on GPUs, by pid, until the tracked among them have it as their figures. */
#define GPU_USAGES  4096 /* of one source in a reading */
#define GPU_SOURCES 2

struct gpu_usage {
	uint32_t pid;
	size_t device; /* in gpu_devices */
	uint64_t busy_ns, memory_bytes;
};

struct gpu_usages {
	/* The last whole reading, and the one that comes in. */
	struct gpu_usage_list {
		struct gpu_usage usages[GPU_USAGES];
		size_t count;
	} whole[GPU_SOURCES], coming[GPU_SOURCES];
	bool in_use; /* some process had figures of the last reading */
};

/* Takes a line of the reading that comes in; what does not fit is left out. */
void gpu_usage_add(struct gpu_usages *usages, unsigned source, size_t device,
		   const struct gpu_process *process);
/* The reading of this source is whole (or, with `lost`, there is none): the figures of all tracked
 * processes follow, and the part of each device that they explain. */
void gpu_usage_reading(struct gpu_usages *usages, unsigned source, bool lost,
		       struct gpu_devices *devices, struct process_table *processes,
		       struct recorder *recorder);
