/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "gpu/line.h"
#include "gpu/nvml_processes.h"
#include "gpu/source.h"

/* NVIDIA's devices, by NVML. */

struct device {
	struct nvml_device *handle; /* NULL: it is gone */
	char uuid[GPU_UUID_SIZE];
	bool busy_known;
	uint64_t since_us; /* see nvml_processes_busy */
};

struct nvml {
	struct nvml_library library;
	bool begun;
	struct device devices[GPU_DEVICES_MAX];
	size_t count, left;
	uint64_t read_ns; /* monotonic clock: the last reading */
	struct processes processes;
};

static const char *words(const struct nvml *nvml, int code)
{
	const char *text = nvml->library.error_string ? nvml->library.error_string(code) : NULL;

	return text ? text : "an error without words";
}

static void note(struct buffer *out, const char *text)
{
	struct gpu_line line = { .kind = GPU_LINE_NOTE };

	(void)snprintf(line.note, sizeof(line.note), "%s", text);
	gpu_line_write(out, &line);
}

static void describe(struct nvml *nvml, uint32_t index, struct device *device, struct buffer *out)
{
	const struct nvml_library *library = &nvml->library;
	struct gpu_line line = { .kind = GPU_LINE_DEVICE };
	struct nvml_memory memory;

	device->busy_known = nvml_processes_busy_known(library, device->handle);
	line.device.index = index;
	line.device.process_busy = device->busy_known;
	line.device.memory_bytes = GPU_UNKNOWN;
	if (library->memory_info && library->memory_info(device->handle, &memory) == NVML_SUCCESS)
		line.device.memory_bytes = memory.total;
	if (library->name)
		library->name(device->handle, line.device.name, sizeof(line.device.name));
	if (library->driver_version)
		library->driver_version(line.device.driver, sizeof(line.device.driver));
	line.device.name[sizeof(line.device.name) - 1] = '\0';
	line.device.driver[sizeof(line.device.driver) - 1] = '\0';
	memcpy(line.device.uuid, device->uuid, sizeof(line.device.uuid));
	gpu_line_write(out, &line);
}

/* A device that cannot be opened is reported and left out. */
static void add_device(struct nvml *nvml, uint32_t index, struct buffer *out)
{
	struct device *device = &nvml->devices[nvml->count];
	char text[GPU_NOTE_SIZE];
	int code = nvml->library.handle_by_index(index, &device->handle);

	if (code == NVML_SUCCESS)
		code = nvml->library.uuid(device->handle, device->uuid, sizeof(device->uuid));
	if (code != NVML_SUCCESS) {
		(void)snprintf(text, sizeof(text), "GPU %u cannot be read: %.200s", index,
			       words(nvml, code));
		note(out, text);
		return;
	}
	device->uuid[sizeof(device->uuid) - 1] = '\0';
	describe(nvml, index, device, out);
	nvml->count++;
	nvml->left++;
}

static void nvml_free(void *source)
{
	struct nvml *nvml = source;

	if (nvml->begun)
		nvml->library.shutdown();
	nvml_library_close(&nvml->library);
	free(nvml);
}

static int begin(struct nvml *nvml, struct buffer *out, struct error *err)
{
	uint32_t count = 0;
	int code = nvml->library.init();

	if (code != NVML_SUCCESS)
		return error_set(err, -ENODEV, "NVML does not begin: %.200s (%d)",
				 words(nvml, code), code);
	nvml->begun = true;
	code = nvml->library.count(&count);
	if (code != NVML_SUCCESS)
		return error_set(err, -ENODEV, "NVML finds no devices: %.200s (%d)",
				 words(nvml, code), code);
	if (count > GPU_DEVICES_MAX)
		note(out, "more than 64 GPUs: the others are not read");
	for (uint32_t i = 0; i < count && i < GPU_DEVICES_MAX; i++)
		add_device(nvml, i, out);
	return nvml->count ? 0 : error_set(err, -ENODEV, "NVML has no device");
}

static int nvml_open(void **ret, const struct gpu_options *options, struct buffer *out,
		     struct error *err)
{
	struct nvml *nvml = calloc(1, sizeof(*nvml));
	int result;

	if (!nvml)
		return error_set(err, -ENOMEM, "no memory");
	result = nvml_library_open(&nvml->library, options->library_folder, err);
	if (result == 0)
		result = begin(nvml, out, err);
	if (result < 0) {
		nvml_free(nvml);
		return result;
	}
	nvml->read_ns = clock_monotonic_ns();
	*ret = nvml;
	return 0;
}

static uint64_t throttle_bits(uint64_t reasons)
{
	static const uint64_t bits[GPU_THROTTLE_COUNT] = {
		[GPU_THROTTLE_POWER_CAP] = NVML_REASON_POWER_CAP,
		[GPU_THROTTLE_HARDWARE] = NVML_REASON_HARDWARE,
		[GPU_THROTTLE_SYNC_BOOST] = NVML_REASON_SYNC_BOOST,
		[GPU_THROTTLE_SOFT_THERMAL] = NVML_REASON_SOFT_THERMAL,
		[GPU_THROTTLE_HARD_THERMAL] = NVML_REASON_HARD_THERMAL,
		[GPU_THROTTLE_POWER_BRAKE] = NVML_REASON_POWER_BRAKE,
	};
	uint64_t result = 0;

	for (int i = 0; i < GPU_THROTTLE_COUNT; i++)
		result |= (uint64_t) !!(reasons & bits[i]) << i;
	return result;
}

static uint64_t ask_u32(nvml_device_u32 *function, struct nvml_device *device)
{
	uint32_t value;

	return function && function(device, &value) == NVML_SUCCESS ? value : GPU_UNKNOWN;
}

static uint64_t ask_choice(nvml_device_choice *function, struct nvml_device *device, int choice)
{
	uint32_t value;

	return function && function(device, choice, &value) == NVML_SUCCESS ? value : GPU_UNKNOWN;
}

static void read_state(const struct nvml_library *library, struct nvml_device *device,
		       struct gpu_state *ret)
{
	struct nvml_utilization utilization;
	struct nvml_memory memory;
	uint64_t reasons;

	ret->busy_percent = ret->memory_busy_percent = ret->memory_used_bytes = ret->throttle =
		GPU_UNKNOWN;
	if (library->utilization && library->utilization(device, &utilization) == NVML_SUCCESS) {
		ret->busy_percent = utilization.gpu;
		ret->memory_busy_percent = utilization.memory;
	}
	if (library->memory_info && library->memory_info(device, &memory) == NVML_SUCCESS)
		ret->memory_used_bytes = memory.used;
	if (library->reasons && library->reasons(device, &reasons) == NVML_SUCCESS)
		ret->throttle = throttle_bits(reasons);
	ret->power_mw = ask_u32(library->power, device);
	ret->celsius = ask_choice(library->temperature, device, NVML_TEMPERATURE_GPU);
	ret->clock_mhz = ask_choice(library->clock, device, NVML_CLOCK_SM);
	ret->memory_clock_mhz = ask_choice(library->clock, device, NVML_CLOCK_MEMORY);
}

/* A device that fell off the bus answers so to whatever it is asked. */
static bool is_gone(const struct nvml *nvml, const struct device *device)
{
	char uuid[GPU_UUID_SIZE];
	struct nvml_memory memory;
	int code = nvml->library.memory_info
			   ? nvml->library.memory_info(device->handle, &memory)
			   : nvml->library.uuid(device->handle, uuid, sizeof(uuid));

	return code == NVML_GPU_IS_LOST || code == NVML_GPU_NOT_FOUND ||
	       code == NVML_RESET_REQUIRED || code == NVML_DRIVER_NOT_LOADED;
}

static void read_device(struct nvml *nvml, struct device *device, uint64_t most_ns,
			struct buffer *out)
{
	struct gpu_line line = { .kind = GPU_LINE_STATE };

	memcpy(line.state.uuid, device->uuid, sizeof(line.state.uuid));
	if (is_gone(nvml, device)) {
		line.kind = GPU_LINE_GONE;
		memcpy(line.uuid, device->uuid, sizeof(line.uuid));
		gpu_line_write(out, &line);
		device->handle = NULL;
		nvml->left--;
		return;
	}
	read_state(&nvml->library, device->handle, &line.state);
	gpu_line_write(out, &line);
	nvml->processes.count = 0;
	nvml_processes_memory(&nvml->library, device->handle, &nvml->processes);
	if (device->busy_known)
		nvml_processes_busy(&nvml->library, device->handle, most_ns, &device->since_us,
				    &nvml->processes);
	processes_write(&nvml->processes, device->uuid, out);
}

static int nvml_read(void *source, struct buffer *out, struct error *err)
{
	struct nvml *nvml = source;
	uint64_t now_ns = clock_monotonic_ns();

	for (size_t i = 0; i < nvml->count; i++) {
		if (nvml->devices[i].handle)
			read_device(nvml, &nvml->devices[i], now_ns - nvml->read_ns, out);
	}
	nvml->read_ns = now_ns;
	return nvml->left ? 0 : error_set(err, -ENODEV, "no device is left");
}

const struct gpu_source gpu_nvidia = {
	.name = "nvidia", .open = nvml_open, .read = nvml_read, .close = nvml_free
};
