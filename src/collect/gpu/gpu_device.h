/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/line.h"
#include "signal.pb-c.h"

/*
 * The GPUs of the host as their sources report them, and what they did since the last sample.
 * Pure: instants come from the caller.
 */
#define GPU_DEVICES 64 /* of all sources */

struct gpu_known {
	struct gpu_device device;
	unsigned source; /* which reports it */
	int64_t seen_at, gone_at;
	bool announced; /* since its source was last started */
	bool fresh;     /* a state came since the last reading's end */
	struct gpu_state state;
	/* Since the last sample. */
	int64_t since_at, until_at; /* 0: nothing was read */
	uint64_t busy_ns, busy_known_ns, memory_busy_ns, throttled_ns, throttled_known_ns;
	uint64_t throttle;                                 /* all bits seen */
	uint64_t power_sum, power_ms, clock_sum, clock_ms; /* sums of figure × ms, and of ms */
	uint64_t memory_clock_sum, memory_clock_ms, celsius_peak;
	uint64_t tracked_busy_ns;
	/* As of the last reading. */
	uint64_t tracked_memory_bytes;
	uint32_t processes;
};

struct gpu_devices {
	struct gpu_known list[GPU_DEVICES];
	size_t count;
};

/* NULL: not known, or another source's. */
struct gpu_known *gpu_device_find(struct gpu_devices *devices, unsigned source, const char *uuid);
/* Takes a `device` line. -EEXIST: another source has it; -ENOSPC. */
int gpu_device_add(struct gpu_devices *devices, unsigned source, const struct gpu_device *device,
		   int64_t now_at, struct gpu_known **ret);
/* A reading of the source ended that began passed_ns ago: its fresh states hold for that time. 0:
 * its first, which says nothing of any time and begins no sample. */
void gpu_device_reading(struct gpu_devices *devices, unsigned source, uint64_t passed_ns,
			int64_t now_at);

void gpu_device_message(const struct gpu_known *known, Signal__Gpu *ret);
#define GPU_REASONS_SIZE 128
/* The sample since the last one, with texts that are in `known` and `reasons`; begins the next.
 * false: nothing was read since. */
bool gpu_device_sample(struct gpu_known *known, char reasons[GPU_REASONS_SIZE],
		       Signal__GpuSample *ret);
