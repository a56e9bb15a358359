/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gpu/drm_client.h"
#include "gpu/drm_device.h"
#include "gpu/processes.h"
#include "gpu/source.h"

/* Devices of the kernel's own drivers (amdgpu, i915, xe, …), by sysfs and fdinfo. */

struct drm {
	const char *root;
	struct drm_device devices[GPU_DEVICES_MAX];
	size_t count, left;
	struct clients *clients;
	struct processes processes[GPU_DEVICES_MAX];
};

static void drm_free(void *source)
{
	struct drm *drm = source;

	clients_free(drm->clients);
	free(drm);
}

static int drm_open(void **ret, const struct gpu_options *options, struct buffer *out,
		    struct error *err)
{
	struct drm *drm = calloc(1, sizeof(*drm));

	if (!drm)
		return error_set(err, -ENOMEM, "no memory");
	drm->root = options->root;
	drm->clients = clients_new(options->root);
	drm->count = drm->left = drm_device_find(drm->root, drm->devices, GPU_DEVICES_MAX, out);
	if (!drm->clients || drm->count == 0) {
		int code = drm->clients ? -ENODEV : -ENOMEM;

		drm_free(drm);
		return error_set(err, code,
				 "no device with a render node and a driver that reports its use");
	}
	*ret = drm;
	return 0;
}

/* By its address on the bus; a device of no bus by its driver. */
static size_t device_of(const struct drm *drm, const struct fdinfo *info)
{
	for (size_t i = 0; i < drm->count; i++) {
		const struct drm_device *device = &drm->devices[i];

		if (device->gone)
			continue;
		if (*info->device ? strcmp(device->bus_id, info->device) == 0
				  : strcmp(device->driver, info->driver) == 0)
			return i;
	}
	return drm->count;
}

static void take(void *context, const struct client_use *use)
{
	struct drm *drm = context;
	size_t device = device_of(drm, use->info);
	struct gpu_process *process;

	if (device == drm->count)
		return;
	process = processes_get(&drm->processes[device], use->pid);
	if (!process)
		return;
	processes_add(&process->busy_ns, use->busy_ns);
	if (use->info->memory_known)
		processes_add(&process->memory_bytes, use->info->memory_bytes);
}

static int drm_read(void *source, struct buffer *out, struct error *err)
{
	struct drm *drm = source;

	for (size_t i = 0; i < drm->count; i++) {
		drm->processes[i].count = 0;
		if (drm->devices[i].gone)
			continue;
		drm_device_read(drm->root, &drm->devices[i], out);
		drm->left -= drm->devices[i].gone;
	}
	if (!drm->left)
		return error_set(err, -ENODEV, "no device is left");
	clients_read(drm->clients, take, drm);
	for (size_t i = 0; i < drm->count; i++)
		processes_write(&drm->processes[i], drm->devices[i].uuid, out);
	return 0;
}

/* To see the descriptors of other users' processes. */
static const unsigned capabilities[] = { CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH };

const struct gpu_source gpu_drm = {
	.name = "drm",
	.capabilities = capabilities,
	.capability_count = sizeof(capabilities) / sizeof(*capabilities),
	.open = drm_open,
	.read = drm_read,
	.close = drm_free,
};
