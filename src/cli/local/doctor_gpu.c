/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/doctor_gpu.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "collect/gpu/gpu_look.h"

#define GPUS_MAX 128

static size_t look(const struct doctor_gpus *gpus, struct gpu_found *ret)
{
	if (strcmp(gpus->mode, "off") == 0)
		return 0;
	return gpu_look(gpus->helper, gpus->library_folder, strcmp(gpus->mode, "on") == 0, ret,
			GPUS_MAX);
}

static void describe(const struct gpu_found *found, char *ret, size_t size)
{
	const struct gpu_device *device = &found->device;
	char memory[32] = "memory unknown";

	if (device->memory_bytes != GPU_UNKNOWN)
		text_bytes(device->memory_bytes, memory, sizeof(memory));
	(void)snprintf(ret, size, "%s, %s, driver %s%s", device->name, memory, device->driver,
		       device->process_busy ? "" : "; use by process is not reported");
}

void doctor_gpus_print(const struct doctor_gpus *gpus)
{
	static struct gpu_found found[GPUS_MAX];
	size_t count = look(gpus, found);

	for (size_t i = 0; i < count; i++) {
		char text[GPU_NOTE_SIZE], what[64];

		(void)snprintf(what, sizeof(what), "GPU, %s", found[i].source);
		if (found[i].read)
			describe(&found[i], text, sizeof(text));
		else
			(void)snprintf(text, sizeof(text), "%s", found[i].words);
		printf("%-7s %-34s %s\n", found[i].read ? "ok" : "absent", what, text);
	}
}

static void member(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

static void write_device(struct json *json, const struct gpu_device *device)
{
	member(json, "uuid", device->uuid);
	member(json, "name", device->name);
	member(json, "driver", device->driver);
	json_key(json, "memory_bytes");
	if (device->memory_bytes == GPU_UNKNOWN)
		json_none(json);
	else
		json_u64(json, device->memory_bytes);
	json_key(json, "process_busy_known");
	json_bool(json, device->process_busy);
}

void doctor_gpus_write(const struct doctor_gpus *gpus, struct json *json)
{
	static struct gpu_found found[GPUS_MAX];
	size_t count = look(gpus, found);

	json_key(json, "gpus");
	json_array_begin(json);
	for (size_t i = 0; i < count; i++) {
		json_object_begin(json);
		member(json, "source", found[i].source);
		json_key(json, "read");
		json_bool(json, found[i].read);
		if (found[i].read)
			write_device(json, &found[i].device);
		member(json, "detail", found[i].words);
		json_object_end(json);
	}
	json_array_end(json);
}
