/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "gpu/nvml_api.h"

/*
 * libnvidia-ml.so.1, as installed on this host by the driver. A function that an older version
 * lacks is NULL; a function that it has under an older name is found by that name.
 */
#define NVML_LISTS                                                                     \
	3 /* compute, graphics, MPS: kinds of work that a process may have on a device \
	   */

struct nvml_library {
	void *handle;
	nvml_call *init, *shutdown;
	nvml_count *count;
	nvml_handle *handle_by_index;
	nvml_device_text *uuid;
	/* From here on any may be NULL. */
	nvml_device_text *name;
	nvml_text *driver_version;
	nvml_words *error_string;
	nvml_device_memory *memory_info;
	nvml_device_utilization *utilization;
	nvml_device_u32 *power;
	nvml_device_choice *temperature, *clock;
	nvml_device_u64 *reasons;
	nvml_device_processes *processes[NVML_LISTS];
	nvml_device_process_utilization *process_utilization;
};

/* Loads it: from the folder, where only root or this user may have written the file (-EPERM), or,
 * if that is "", as the system's loader finds it. -ENOENT: there is none; -ENOTSUP: it lacks
 * functions that each NVML has. NVML itself is not begun yet. */
int nvml_library_open(struct nvml_library *ret, const char *folder, struct error *err);
void nvml_library_close(struct nvml_library *library);
