/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/drm_device.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"

#define PATH_SIZE  4096
#define FILE_BYTES 4096
#define NODES      "renderD"

static char *path_of(char path[PATH_SIZE], const char *root, const char *node, const char *file)
{
	(void)snprintf(path, PATH_SIZE, "%s/sys/class/drm/%s/device/%s", root, node, file);
	return path;
}

/* A file with one number; GPU_UNKNOWN where there is none. */
static uint64_t number_in(const char *path)
{
	char *text CLEANUP(freep) = NULL, *end;
	unsigned long long number;
	size_t len;

	if (file_read(AT_FDCWD, path, FILE_BYTES, &text, &len) < 0 || *text < '0' || *text > '9')
		return GPU_UNKNOWN;
	number = strtoull(text, &end, 10);
	return *end && *end != '\n' ? GPU_UNKNOWN : number;
}

static uint64_t number_of(const char *root, const struct drm_device *device, const char *file)
{
	char path[PATH_SIZE];

	return number_in(path_of(path, root, device->node, file));
}

/* KEY=VALUE of a uevent file, cut to ret's size; "": it has none. */
static void uevent_value(const char *text, const char *key, char *ret, size_t size)
{
	size_t len = strlen(key);

	*ret = '\0';
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (strncmp(line, key, len) != 0 || line[len] != '=')
			continue;
		(void)snprintf(ret, size, "%.*s", (int)strcspn(line + len + 1, "\n"),
			       line + len + 1);
		return;
	}
}

static void write_device(const char *root, const struct drm_device *device, const char *model,
			 uint32_t index, struct buffer *out)
{
	struct gpu_line line = { .kind = GPU_LINE_DEVICE };

	memcpy(line.device.uuid, device->uuid, sizeof(line.device.uuid));
	line.device.index = index;
	line.device.memory_bytes = number_of(root, device, "mem_info_vram_total");
	line.device.process_busy = true; /* what its driver's fdinfo says, is seen with a client */
	memcpy(line.device.driver, device->driver, sizeof(device->driver));
	(void)snprintf(line.device.name, sizeof(line.device.name), "%s %s", device->driver, model);
	gpu_line_write(out, &line);
}

/* false: there is no such device, or NVML reads it. */
static bool look(const char *root, const char *node, uint32_t index, struct drm_device *ret,
		 struct buffer *out)
{
	char path[PATH_SIZE], model[32], *text CLEANUP(freep) = NULL;
	size_t len;

	*ret = (struct drm_device){ 0 };
	(void)snprintf(ret->node, sizeof(ret->node), "%.15s", node);
	if (file_read(AT_FDCWD, path_of(path, root, ret->node, "uevent"), FILE_BYTES, &text, &len) <
	    0)
		return false;
	uevent_value(text, "DRIVER", ret->driver, sizeof(ret->driver));
	uevent_value(text, "PCI_SLOT_NAME", ret->bus_id, sizeof(ret->bus_id));
	uevent_value(text, "PCI_ID", model, sizeof(model));
	if (strcmp(ret->driver, "nvidia") == 0)
		return false;
	(void)snprintf(ret->uuid, sizeof(ret->uuid), "drm-%s",
		       *ret->bus_id ? ret->bus_id : ret->node);
	write_device(root, ret, model, index, out);
	return true;
}

size_t drm_device_find(const char *root, struct drm_device *ret, size_t room, struct buffer *out)
{
	char path[PATH_SIZE];
	struct dirent **names = NULL;
	size_t count = 0;
	int found;

	(void)snprintf(path, sizeof(path), "%s/sys/class/drm", root);
	found = scandir(path, &names, NULL, alphasort);
	for (int i = 0; i < found; i++) {
		if (count < room && text_starts_with(names[i]->d_name, NODES) &&
		    look(root, names[i]->d_name, (uint32_t)count, &ret[count], out))
			count++;
		free(names[i]);
	}
	free(names);
	return count;
}

/* Its sensors have a folder of their own, with any number in its name. */
static void read_sensors(const char *root, const struct drm_device *device, struct gpu_state *ret)
{
	char path[PATH_SIZE], file[256];
	const struct dirent *entry;
	uint64_t number;
	DIR *folder = opendir(path_of(path, root, device->node, "hwmon"));

	while (folder && (entry = readdir(folder))) {
		if (!text_starts_with(entry->d_name, "hwmon"))
			continue;
		(void)snprintf(file, sizeof(file), "hwmon/%.64s/power1_average", entry->d_name);
		number = number_of(root, device, file);
		if (number == GPU_UNKNOWN) {
			(void)snprintf(file, sizeof(file), "hwmon/%.64s/power1_input",
				       entry->d_name);
			number = number_of(root, device, file);
		}
		ret->power_mw = number == GPU_UNKNOWN ? number : number / 1000;
		(void)snprintf(file, sizeof(file), "hwmon/%.64s/temp1_input", entry->d_name);
		number = number_of(root, device, file);
		ret->celsius = number == GPU_UNKNOWN ? number : number / 1000;
		(void)snprintf(file, sizeof(file), "hwmon/%.64s/freq1_input", entry->d_name);
		number = number_of(root, device, file);
		ret->clock_mhz = number == GPU_UNKNOWN ? number : number / 1000000;
		break;
	}
	if (folder)
		closedir(folder);
}

void drm_device_read(const char *root, struct drm_device *device, struct buffer *out)
{
	struct gpu_line line = { .kind = GPU_LINE_STATE };
	struct gpu_state *state = &line.state;
	char path[PATH_SIZE];

	memcpy(state->uuid, device->uuid, sizeof(state->uuid));
	if (access(path_of(path, root, device->node, "uevent"), F_OK) < 0) {
		line.kind = GPU_LINE_GONE;
		memcpy(line.uuid, device->uuid, sizeof(line.uuid));
		device->gone = true;
		gpu_line_write(out, &line);
		return;
	}
	state->power_mw = state->celsius = state->clock_mhz = GPU_UNKNOWN;
	state->memory_clock_mhz = state->throttle = GPU_UNKNOWN;
	state->busy_percent = number_of(root, device, "gpu_busy_percent");
	state->memory_busy_percent = number_of(root, device, "mem_busy_percent");
	state->memory_used_bytes = number_of(root, device, "mem_info_vram_used");
	read_sensors(root, device, state);
	gpu_line_write(out, &line);
}
