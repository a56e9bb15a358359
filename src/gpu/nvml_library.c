/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/nvml_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY   "libnvidia-ml.so.1"
#define NAMES_MAX 3
#define PATH_SIZE 4096

/* Where a function's address goes, and its names, the newest first. */
struct function {
	size_t offset;
	bool needed;
	const char *names[NAMES_MAX];
};

#define AT(member) .offset = offsetof(struct nvml_library, member)
#define LIST(number, work)                                          \
	{                                                           \
		AT(processes[number]), .names = {                   \
			"nvmlDeviceGet" work "RunningProcesses_v3", \
			"nvmlDeviceGet" work "RunningProcesses_v2", \
			"nvmlDeviceGet" work "RunningProcesses"     \
		}                                                   \
	}

static const struct function functions[] = {
	{ AT(init), true, { "nvmlInit_v2", "nvmlInit" } },
	{ AT(shutdown), true, { "nvmlShutdown" } },
	{ AT(count), true, { "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount" } },
	{ AT(handle_by_index),
	  true,
	  { "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex" } },
	{ AT(uuid), true, { "nvmlDeviceGetUUID" } },
	{ AT(name), false, { "nvmlDeviceGetName" } },
	{ AT(driver_version), false, { "nvmlSystemGetDriverVersion" } },
	{ AT(error_string), false, { "nvmlErrorString" } },
	{ AT(memory_info), false, { "nvmlDeviceGetMemoryInfo" } },
	{ AT(utilization), false, { "nvmlDeviceGetUtilizationRates" } },
	{ AT(power), false, { "nvmlDeviceGetPowerUsage" } },
	{ AT(temperature), false, { "nvmlDeviceGetTemperature" } },
	{ AT(clock), false, { "nvmlDeviceGetClockInfo" } },
	{ AT(reasons),
	  false,
	  { "nvmlDeviceGetCurrentClocksEventReasons",
	    "nvmlDeviceGetCurrentClocksThrottleReasons" } },
	{ AT(process_utilization), false, { "nvmlDeviceGetProcessUtilization" } },
	LIST(0, "Compute"),
	LIST(1, "Graphics"),
	LIST(2, "MPSCompute"),
};

/* What is loaded into this process must come from whoever may command it anyway. */
static int check_owner(const char *path, struct error *err)
{
	struct stat seen;

	if (stat(path, &seen) < 0)
		return error_set(err, -errno, "cannot load %s: %s", path, strerror(errno));
	if ((seen.st_uid != 0 && seen.st_uid != geteuid()) || (seen.st_mode & (S_IWGRP | S_IWOTH)))
		return error_set(err, -EPERM,
				 "%s is not loaded: others than root and this user may write it",
				 path);
	return 0;
}

static int load(struct nvml_library *library, const char *folder, struct error *err)
{
	char path[PATH_SIZE] = LIBRARY;
	int result = 0;

	if (*folder) {
		(void)snprintf(path, sizeof(path), "%s/" LIBRARY, folder);
		result = check_owner(folder, err);
		if (result == 0)
			result = check_owner(path, err);
	}
	if (result < 0)
		return result;
	library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	return library->handle ? 0 : error_set(err, -ENOENT, "no NVML: %s", dlerror());
}

static int resolve(struct nvml_library *library, const struct function *function, struct error *err)
{
	void **member = (void **)((char *)library + function->offset);

	for (size_t i = 0; !*member && i < NAMES_MAX && function->names[i]; i++)
		*member = dlsym(library->handle, function->names[i]);
	if (*member || !function->needed)
		return 0;
	return error_set(err, -ENOTSUP, LIBRARY " has no %s: it is no NVML", function->names[0]);
}

int nvml_library_open(struct nvml_library *ret, const char *folder, struct error *err)
{
	struct nvml_library library = { 0 };
	int result = load(&library, folder, err);

	for (size_t i = 0; result == 0 && i < sizeof(functions) / sizeof(*functions); i++)
		result = resolve(&library, &functions[i], err);
	if (result < 0)
		nvml_library_close(&library);
	else
		*ret = library;
	return result;
}

void nvml_library_close(struct nvml_library *library)
{
	if (library->handle)
		dlclose(library->handle);
	*library = (struct nvml_library){ 0 };
}
