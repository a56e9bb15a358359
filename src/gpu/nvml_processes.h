/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "gpu/nvml_library.h"
#include "gpu/processes.h"

/* The processes on a device, as NVML reports them. */

/* Reads the memory of each process into *ret. */
void nvml_processes_memory(const struct nvml_library *library, struct nvml_device *device,
			   struct processes *ret);
/* Whether the driver reports how busy each process keeps the device (under MIG, and on old devices,
 * it does not). */
_Bool nvml_processes_busy_known(const struct nvml_library *library, struct nvml_device *device);
/* Reads how long each process kept the device busy since the call before. *since_us: NVML's time
 * stamp of that call, 0 at first. most_ns: how long ago that call was, the upper bound of a time.
 */
void nvml_processes_busy(const struct nvml_library *library, struct nvml_device *device,
			 uint64_t most_ns, uint64_t *since_us, struct processes *ret);
