/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cgroup/cgroup_census.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "collect/cgroup/cgroup_usage.h"
#include "collect/cgroup/cgroup_walk.h"

struct taking {
	struct census *census;
	struct cgroup_trees trees;
	int result;
};

/* A key of the index: text that is as long as a path. */
static struct map_text_key key_of(const char *path, size_t len)
{
	return map_text_key(path, len);
}

static size_t find(const struct census *census, const char *path, size_t len)
{
	while (len > 1) {
		struct map_text_key key = key_of(path, len);
		const struct census_cgroup *found = map_get(census->by_path, &key);

		if (found)
			return (size_t)(found - census->cgroups);
		while (len > 1 && path[len - 1] != '/')
			len--;
		len--;
	}
	return 0;
}

size_t census_find(const struct census *census, const char *path)
{
	return find(census, path, strlen(path));
}

static size_t length_above(const char *path)
{
	const char *last = strrchr(path, '/');

	return last ? (size_t)(last - path) : 0;
}

struct source {
	const char *file, *key;
	uint64_t unit;
};

/* Of version 1 and of version 2. */
static const struct source cpu_sources[] = { { "cpuacct.usage", NULL, 1 },
					     { "cpu.stat", "usage_usec", 1000 } };
static const struct source memory_sources[] = { { "memory.usage_in_bytes", NULL, 1 },
						{ "memory.current", NULL, 1 } };

static bool read_one(const struct cgroup_trees *trees, enum cgroup_tree tree, const char *path,
		     const struct source sources[2], uint64_t *ret)
{
	const struct source *source = &sources[cgroup_tree_serving(trees, tree) == CGROUP_UNIFIED];
	char folder[CGROUP_PATH_BYTES], text[CGROUP_FILE_BYTES];

	if (!cgroup_tree_folder(trees, tree, strcmp(path, "/") == 0 ? "" : path, folder) ||
	    !cgroup_tree_file(folder, source->file, text) ||
	    !cgroup_usage_value(text, source->key, ret))
		return false;
	*ret *= source->unit;
	return true;
}

/* With all below, as the kernel counts. false: it is gone already. */
static bool read_usage(const struct taking *taking, struct census_cgroup *cgroup)
{
	uint64_t cpu_ns = 0;
	bool known = read_one(&taking->trees, CGROUP_CPUACCT, cgroup->path, cpu_sources, &cpu_ns);

	cgroup->cpu_ns = (int64_t)cpu_ns;
	cgroup->memory_known = read_one(&taking->trees, CGROUP_MEMORY, cgroup->path, memory_sources,
					&cgroup->memory_bytes);
	return known;
}

static bool add(const char *path, uint64_t id, void *context)
{
	struct taking *taking = context;
	struct census *census = taking->census;
	struct census_cgroup *cgroup = &census->cgroups[census->count];
	size_t size = strlen(path) + 1;
	struct map_text_key key = key_of(path, size - 1);

	if (census->count == CENSUS_MAX)
		return false;
	*cgroup = (struct census_cgroup){ .id = id, .path = arena_take(&census->paths, size) };
	taking->result = cgroup->path ? 0 : -ENOMEM;
	if (taking->result < 0)
		return false;
	memcpy(cgroup->path, path, size);
	if (!read_usage(taking, cgroup) && census->count)
		return true;
	taking->result = map_put(census->by_path, &key, cgroup);
	if (taking->result < 0)
		return false;
	cgroup->above = census->count ? find(census, path, length_above(path)) : 0;
	census->count++;
	return true;
}

/* Each, while it still holds what is below it, takes itself off the one that it is in. */
static void keep_own(struct census *census)
{
	for (size_t i = 1; i < census->count; i++) {
		const struct census_cgroup *cgroup = &census->cgroups[i];
		struct census_cgroup *above = &census->cgroups[cgroup->above];

		above->cpu_ns -= cgroup->cpu_ns;
		if (cgroup->memory_known)
			above->memory_bytes -= cgroup->memory_bytes < above->memory_bytes
						       ? cgroup->memory_bytes
						       : above->memory_bytes;
	}
}

void census_clear(struct census *census)
{
	arena_clear(&census->paths);
	free(census->cgroups);
	map_free(census->by_path);
	*census = (struct census){ 0 };
}

/* The root of all of version 2 has no such file; a container's own has. */
static bool is_counted(const struct cgroup_trees *trees)
{
	char text[CGROUP_FILE_BYTES];

	return cgroup_tree_serving(trees, CGROUP_CPUACCT) != CGROUP_UNIFIED ||
	       cgroup_tree_file(trees->mounts[CGROUP_UNIFIED].folder, "cgroup.events", text);
}

int census_take(struct census *ret)
{
	struct census census = { .by_path = map_new(sizeof(struct map_text_key), CENSUS_MAX),
				 .cgroups = calloc(CENSUS_MAX, sizeof(*census.cgroups)) };
	struct taking taking = { .census = &census };

	taking.result =
		census.by_path && census.cgroups ? cgroup_trees_read(&taking.trees) : -ENOMEM;
	if (taking.result == 0)
		cgroup_walk(&taking.trees, CGROUP_CPUACCT, add, &taking);
	if (taking.result < 0) {
		census_clear(&census);
		return taking.result;
	}
	census.root_known = is_counted(&taking.trees);
	keep_own(&census);
	*ret = census;
	return 0;
}
