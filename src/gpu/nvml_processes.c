/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/nvml_processes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define UNTOUCHED   0xa5  /* what the list is filled with, to see how much of it was written */
#define SAMPLES_MAX 16384 /* the driver asks for a multiple of its processes */

/* How many bytes an entry has: the driver wrote `count` of them without a gap at the end. 0: none
 * that is known. */
static size_t entry_size(const unsigned char *bytes, size_t size, uint32_t count)
{
	size_t end = size, entry;

	while (end > 0 && bytes[end - 1] == UNTOUCHED)
		end--;
	entry = (end + count - 1) / count;
	entry = (entry + 7) / 8 * 8;
	return entry >= sizeof(struct nvml_process_v1) && entry <= NVML_PROCESS_SIZE_MAX ? entry
											 : 0;
}

/* Takes one list of NVML (compute, graphics or MPS). A process is in a list once for each MIG
 * instance: these are added. In two lists it has the same memory: the larger number counts. */
static void take_list(const unsigned char *bytes, size_t entry, uint32_t count,
		      struct processes *ret)
{
	struct processes *list CLEANUP(freep) = calloc(1, sizeof(*list));

	for (uint32_t i = 0; list && i < count; i++) {
		struct nvml_process_v1 seen;
		struct gpu_process *process;

		memcpy(&seen, bytes + i * entry, sizeof(seen));
		process = processes_get(list, seen.pid);
		if (process && seen.used_memory != NVML_VALUE_NOT_AVAILABLE)
			processes_add(&process->memory_bytes, seen.used_memory);
	}
	for (size_t i = 0; list && i < list->count; i++) {
		struct gpu_process *process = processes_get(ret, list->list[i].pid);
		uint64_t bytes_used = list->list[i].memory_bytes;

		if (process && bytes_used != GPU_UNKNOWN &&
		    (process->memory_bytes == GPU_UNKNOWN || process->memory_bytes < bytes_used))
			process->memory_bytes = bytes_used;
	}
}

void nvml_processes_memory(const struct nvml_library *library, struct nvml_device *device,
			   struct processes *ret)
{
	static unsigned char bytes[GPU_PROCESSES_MAX * NVML_PROCESS_SIZE_MAX];

	for (int i = 0; i < NVML_LISTS; i++) {
		uint32_t count = GPU_PROCESSES_MAX;
		size_t entry;

		memset(bytes, UNTOUCHED, sizeof(bytes));
		if (!library->processes[i] ||
		    library->processes[i](device, &count, bytes) != NVML_SUCCESS || count == 0 ||
		    count > GPU_PROCESSES_MAX)
			continue;
		entry = entry_size(bytes, sizeof(bytes), count);
		if (entry)
			take_list(bytes, entry, count, ret);
	}
}

/* The samples since that instant, in memory that grows to what the driver asks for. */
static int ask(const struct nvml_library *library, struct nvml_device *device, uint64_t since_us,
	       struct nvml_process_utilization **samples, uint32_t *count)
{
	int code = NVML_INSUFFICIENT_SIZE;

	*count = 64;
	for (int tries = 0; code == NVML_INSUFFICIENT_SIZE && tries < 3; tries++) {
		uint32_t room = *count;

		if (room == 0 || room > SAMPLES_MAX)
			room = SAMPLES_MAX;
		free(*samples);
		*samples = calloc(room, sizeof(**samples));
		if (!*samples)
			return NVML_INSUFFICIENT_SIZE;
		*count = room;
		code = library->process_utilization(device, *samples, count, since_us);
		if (code == NVML_SUCCESS && *count > room)
			*count = room;
	}
	return code;
}

bool nvml_processes_busy_known(const struct nvml_library *library, struct nvml_device *device)
{
	struct nvml_process_utilization *samples CLEANUP(freep) = NULL;
	uint32_t count;
	int code;

	if (!library->process_utilization)
		return false;
	code = ask(library, device, 0, &samples, &count);
	return code == NVML_SUCCESS || code == NVML_NOT_FOUND;
}

/* A mean of whole percents from the call before (or, at first, all that the driver remembers) to
 * the sample's time stamp. */
static uint64_t busy_ns(const struct nvml_process_utilization *sample, uint64_t since_us,
			uint64_t most_ns)
{
	uint64_t percent = sample->sm < 100 ? sample->sm : 100;
	uint64_t len_us = sample->at_us - since_us;

	if (!since_us || len_us > most_ns / (uint64_t)NS_PER_US)
		len_us = most_ns / (uint64_t)NS_PER_US;
	return len_us * (uint64_t)NS_PER_US / 100 * percent;
}

void nvml_processes_busy(const struct nvml_library *library, struct nvml_device *device,
			 uint64_t most_ns, uint64_t *since_us, struct processes *ret)
{
	struct nvml_process_utilization *samples CLEANUP(freep) = NULL;
	uint64_t last_us = *since_us;
	uint32_t count;

	if (ask(library, device, *since_us, &samples, &count) != NVML_SUCCESS)
		return;
	for (uint32_t i = 0; i < count; i++) {
		struct gpu_process *process;

		if (samples[i].at_us <= *since_us)
			continue;
		if (samples[i].at_us > last_us)
			last_us = samples[i].at_us;
		process = processes_get(ret, samples[i].pid);
		if (process)
			processes_add(&process->busy_ns, busy_ns(&samples[i], *since_us, most_ns));
	}
	*since_us = last_us;
}
