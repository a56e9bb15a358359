/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "gpu/nvml_library.h"
#include "gpu/processes.h"

/* What NVML tells of the processes on a device. */

/* Takes the memory of each into *ret. */
void nvml_processes_memory(const struct nvml_library *library, struct nvml_device *device,
			   struct processes *ret);
/* Whether the driver tells how busy each process keeps the device (under MIG, and on old devices,
 * it does not). */
_Bool nvml_processes_busy_known(const struct nvml_library *library, struct nvml_device *device);
/* Takes how long each kept it busy since the call before: *since_us is NVML's time stamp of that, 0
 * at first. most_ns: how long ago that was, which none can have been busy for longer. */
void nvml_processes_busy(const struct nvml_library *library, struct nvml_device *device,
			 uint64_t most_ns, uint64_t *since_us, struct processes *ret);
