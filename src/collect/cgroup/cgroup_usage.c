/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cgroup/cgroup_usage.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Where each figure is: the sum of its lines. Files of one name follow each other: each is read
 * once. What cannot be reclaimed but by swapping is, by Documentation/admin-guide/cgroup-v2.rst,
 * anonymous memory, tmpfs and shared memory, and the kernel's own for the cgroup, but for slab that
 * is marked as reclaimable. Version 1 does not divide slab: all of it counts. */
static const struct figure {
	enum cgroup_tree tree;
	int version;
	const char *file, *key;
	uint64_t unit; /* in ns, or 1 */
	size_t offset;
} figures[] = {
#define FIGURE(tree, version, file, key, unit, field)                                         \
	{                                                                                     \
		CGROUP_##tree, version, file, key, unit, offsetof(struct cgroup_usage, field) \
	}
	FIGURE(CPUACCT, 1, "cpuacct.usage", NULL, 1, cpu_ns),
	FIGURE(CPU, 1, "cpu.stat", "nr_periods", 1, cpu_periods),
	FIGURE(CPU, 1, "cpu.stat", "nr_throttled", 1, cpu_throttled_periods),
	FIGURE(CPU, 1, "cpu.stat", "throttled_time", 1, cpu_throttled_ns),
	FIGURE(CPU, 2, "cpu.stat", "usage_usec", 1000, cpu_ns),
	FIGURE(CPU, 2, "cpu.stat", "nr_periods", 1, cpu_periods),
	FIGURE(CPU, 2, "cpu.stat", "nr_throttled", 1, cpu_throttled_periods),
	FIGURE(CPU, 2, "cpu.stat", "throttled_usec", 1000, cpu_throttled_ns),
	FIGURE(MEMORY, 1, "memory.usage_in_bytes", NULL, 1, memory_bytes),
	FIGURE(MEMORY, 1, "memory.max_usage_in_bytes", NULL, 1, memory_peak_bytes),
	FIGURE(MEMORY, 1, "memory.kmem.usage_in_bytes", NULL, 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 1, "memory.stat", "total_rss", 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 1, "memory.stat", "total_shmem", 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 1, "memory.failcnt", NULL, 1, memory_max_events),
	FIGURE(MEMORY, 1, "memory.oom_control", "oom_kill", 1, memory_oom_kills),
	FIGURE(MEMORY, 2, "memory.current", NULL, 1, memory_bytes),
	FIGURE(MEMORY, 2, "memory.peak", NULL, 1, memory_peak_bytes), /* 5.19 */
	FIGURE(MEMORY, 2, "memory.stat", "anon", 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 2, "memory.stat", "shmem", 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 2, "memory.stat", "kernel_stack", 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 2, "memory.stat", "pagetables", 1, memory_unreclaimable_bytes), /* 5.11 */
	FIGURE(MEMORY, 2, "memory.stat", "percpu", 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 2, "memory.stat", "sock", 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 2, "memory.stat", "slab_unreclaimable", 1, memory_unreclaimable_bytes),
	FIGURE(MEMORY, 2, "memory.events", "high", 1, memory_high_events),
	FIGURE(MEMORY, 2, "memory.events", "max", 1, memory_max_events),
	FIGURE(MEMORY, 2, "memory.events", "oom", 1, memory_oom_events),
	FIGURE(MEMORY, 2, "memory.events", "oom_kill", 1, memory_oom_kills),
	FIGURE(UNIFIED, 2, "cpu.stat", "usage_usec", 1000, unified_cpu_ns),
	FIGURE(UNIFIED, 2, "cpu.pressure", "some", 1000, cpu_pressure_ns),
	FIGURE(UNIFIED, 2, "cpu.pressure", "full", 1000, cpu_pressure_full_ns), /* 5.13 */
	FIGURE(UNIFIED, 2, "memory.pressure", "some", 1000, memory_pressure_ns),
	FIGURE(UNIFIED, 2, "memory.pressure", "full", 1000, memory_pressure_full_ns),
	FIGURE(UNIFIED, 2, "io.pressure", "some", 1000, io_pressure_ns),
	FIGURE(UNIFIED, 2, "io.pressure", "full", 1000, io_pressure_full_ns),
#undef FIGURE
};

static const char *line_of(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (; text && *text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, key, len) == 0 && text[len] == ' ')
			return text + len + 1;
	}
	return NULL;
}

bool cgroup_usage_value(const char *text, const char *key, uint64_t *ret)
{
	const char *value = key ? line_of(text, key) : text, *total;

	if (!value)
		return false;
	total = strstr(value, "total=");
	if (!isdigit((unsigned char)*value) && total && total < value + strcspn(value, "\n"))
		value = total + strlen("total=");
	if (!isdigit((unsigned char)*value))
		return false;
	*ret = strtoull(value, NULL, 10);
	return true;
}

void cgroup_usage_read(const struct cgroup_trees *trees,
		       const char folders[CGROUP_TREES][CGROUP_PATH_BYTES],
		       struct cgroup_usage *ret)
{
	char text[CGROUP_FILE_BYTES] = "";
	const char *file = "";

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		const struct figure *figure = &figures[i];
		enum cgroup_tree tree = cgroup_tree_serving(trees, figure->tree);
		uint64_t value;

		if (!folders[figure->tree][0] ||
		    figure->version != (tree == CGROUP_UNIFIED ? 2 : 1))
			continue;
		if (strcmp(file, figure->file) != 0 &&
		    !cgroup_tree_file(folders[figure->tree], figure->file, text))
			text[0] = '\0';
		file = figure->file;
		if (!cgroup_usage_value(text, figure->key, &value))
			continue;
		*(uint64_t *)((char *)ret + figure->offset) += value * figure->unit;
		if (figure->offset == offsetof(struct cgroup_usage, cpu_ns))
			ret->cpu_known = 1;
	}
}
