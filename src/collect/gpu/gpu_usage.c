/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/gpu/gpu_usage.h"
#include "collect/output/record.h"
#include "collect/process/process_table.h"

#include <stdlib.h>
#include <string.h>

struct taking {
	struct recorder *recorder;
	struct gpu_devices *devices;
	struct gpu_usage *sorted; /* of all sources, by pid */
	size_t count;
};

static uint64_t known(uint64_t figure)
{
	return figure == GPU_UNKNOWN ? 0 : figure;
}

void gpu_usage_add(struct gpu_usages *usages, unsigned source, size_t device,
		   const struct gpu_process *process)
{
	struct gpu_usage_list *coming = &usages->coming[source];

	if (coming->count == GPU_USAGES)
		return;
	coming->usages[coming->count++] =
		(struct gpu_usage){ .pid = process->pid,
				    .device = device,
				    .busy_ns = known(process->busy_ns),
				    .memory_bytes = known(process->memory_bytes) };
}

static int by_pid(const void *a_, const void *b_)
{
	const struct gpu_usage *a = a_, *b = b_;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* The first of this pid's usages, or the end. */
static size_t first_of(const struct taking *taking, uint32_t pid)
{
	size_t low = 0, high = taking->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (taking->sorted[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void use(struct taking *taking, struct process *process, uint64_t busy_ns,
		uint64_t memory_bytes)
{
	struct counters seen;

	process_seen(process, &seen);
	process->on_gpu = memory_bytes > 0;
	if (busy_ns == 0 && memory_bytes == seen.gpu_memory_bytes)
		return;
	record_wake(taking->recorder, process); /* as a reading of the kernel does */
	seen.gpu_busy_ns += busy_ns;
	seen.gpu_memory_bytes = memory_bytes;
	if (memory_bytes > seen.gpu_memory_peak_bytes)
		seen.gpu_memory_peak_bytes = memory_bytes;
	process_see(process, &seen);
}

static void take(struct process *process, void *context)
{
	struct taking *taking = context;
	size_t first = first_of(taking, process->key.pid), i = first;
	uint64_t busy_ns = 0, memory_bytes = 0;

	if (process->sampling == SAMPLING_BASELINE || process_is_noise(process))
		return;
	for (; i < taking->count && taking->sorted[i].pid == process->key.pid; i++) {
		const struct gpu_usage *usage = &taking->sorted[i];
		struct gpu_known *device = &taking->devices->list[usage->device];

		busy_ns += usage->busy_ns;
		memory_bytes += usage->memory_bytes;
		device->tracked_busy_ns += usage->busy_ns;
		device->tracked_memory_bytes += usage->memory_bytes;
	}
	if (i > first || process->on_gpu)
		use(taking, process, busy_ns, memory_bytes);
}

/* Busy time is growth: it is used up, and must not count again with another source's reading. */
static void gather(struct gpu_usages *usages, struct taking *taking)
{
	for (unsigned source = 0; source < GPU_SOURCES; source++) {
		struct gpu_usage_list *whole = &usages->whole[source];

		for (size_t i = 0; i < whole->count; i++) {
			taking->sorted[taking->count++] = whole->usages[i];
			taking->devices->list[whole->usages[i].device].processes++;
			whole->usages[i].busy_ns = 0;
		}
	}
	qsort(taking->sorted, taking->count, sizeof(*taking->sorted), by_pid);
}

void gpu_usage_reading(struct gpu_usages *usages, unsigned source, bool lost,
		       struct gpu_devices *devices, struct process_table *processes,
		       struct recorder *recorder)
{
	static struct gpu_usage sorted[GPU_SOURCES * GPU_USAGES];
	struct taking taking = { .recorder = recorder, .devices = devices, .sorted = sorted };

	struct gpu_usage_list *whole = &usages->whole[source], *coming = &usages->coming[source];

	whole->count = lost ? 0 : coming->count;
	memcpy(whole->usages, coming->usages, whole->count * sizeof(*whole->usages));
	coming->count = 0;
	for (size_t i = 0; i < devices->count; i++) {
		devices->list[i].processes = 0;
		devices->list[i].tracked_memory_bytes = 0;
	}
	gather(usages, &taking);
	if (taking.count > 0 || usages->in_use)
		process_table_visit(processes, take, &taking);
	usages->in_use = taking.count > 0;
}
