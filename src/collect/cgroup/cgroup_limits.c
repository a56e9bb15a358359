/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cgroup/cgroup_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LIMIT_V1 (1ULL << 62)
#define DEPTH       64 /* folders looked at on the way up */

double cgroup_parse_cpu_max(const char *text)
{
	char *end;
	double quota = strtod(text, &end), period;

	if (end == text || quota <= 0)
		return 0;
	period = strtod(end, NULL);
	return period > 0 ? quota / period : 0;
}

uint64_t cgroup_parse_memory_max(const char *text)
{
	char *end;
	unsigned long long bytes = strtoull(text, &end, 10);

	return end == text || bytes >= NO_LIMIT_V1 ? 0 : bytes;
}

static double cpu_limit_at(const char *folder)
{
	char quota[CGROUP_FILE_BYTES], period[CGROUP_FILE_BYTES], both[128];

	if (cgroup_tree_file(folder, "cpu.max", quota))
		return cgroup_parse_cpu_max(quota);
	if (!cgroup_tree_file(folder, "cpu.cfs_quota_us", quota) ||
	    !cgroup_tree_file(folder, "cpu.cfs_period_us", period))
		return 0;
	(void)snprintf(both, sizeof(both), "%.*s %.30s", (int)strcspn(quota, "\n"), quota, period);
	return cgroup_parse_cpu_max(both);
}

static double memory_limit_at(const char *folder)
{
	char text[CGROUP_FILE_BYTES];

	if (cgroup_tree_file(folder, "memory.max", text) ||
	    cgroup_tree_file(folder, "memory.limit_in_bytes", text))
		return (double)cgroup_parse_memory_max(text);
	return 0;
}

static double smallest(const struct cgroup_trees *trees, enum cgroup_tree tree, const char *path,
		       double (*limit_at)(const char *folder))
{
	const char *top = trees->mounts[cgroup_tree_serving(trees, tree)].folder;
	char folder[CGROUP_PATH_BYTES];
	double least = 0;

	if (!cgroup_tree_folder(trees, tree, path, folder))
		return 0;
	for (unsigned depth = 0; depth < DEPTH; depth++) {
		double limit = limit_at(folder);
		char *last = strrchr(folder, '/');

		if (limit > 0 && (least <= 0 || limit < least))
			least = limit;
		if (strlen(folder) <= strlen(top) || !last)
			break;
		*last = '\0';
	}
	return least;
}

double cgroup_limits_cpu(const struct cgroup_trees *trees, const char *path)
{
	return smallest(trees, CGROUP_CPU, path, cpu_limit_at);
}

uint64_t cgroup_limits_memory(const struct cgroup_trees *trees, const char *path)
{
	return (uint64_t)smallest(trees, CGROUP_MEMORY, path, memory_limit_at);
}
