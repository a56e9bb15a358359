/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/buffer.h"
#include "gpu/line.h"
#include "gpu/source.h"

/*
 * A device with a render node, as sysfs shows it: Documentation/gpu/amdgpu/driver-misc.rst
 * (gpu_busy_percent, mem_info_vram_*), Documentation/hwmon/sysfs-interface.rst (power, temperature,
 * clock). Devices of NVIDIA are left out: NVML reads them.
 */
struct drm_device {
	char node[16]; /* renderD128 */
	char bus_id[32];
	char driver[32];
	char uuid[GPU_UUID_SIZE];
	_Bool gone;
};

/* Finds those below ROOT/sys/class/drm, at most `room`, and appends a line for each. */
size_t drm_device_find(const char *root, struct drm_device *ret, size_t room, struct buffer *out);
/* Appends its state, or that it is gone now. */
void drm_device_read(const char *root, struct drm_device *device, struct buffer *out);
