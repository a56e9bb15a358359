/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cgroup/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/map.h"
#include "collect/cgroup/cgroup_limits.h"
#include "collect/cgroup/cgroup_name.h"
#include "collect/cgroup/cgroup_walk.h"

struct cgroups {
	struct cgroup_trees trees;
	struct map *map;
	uint64_t walked_at; /* monotonic: at most one walk a second */
};

int cgroups_new(struct cgroups **ret, struct error *err)
{
	struct cgroups *cgroups = calloc(1, sizeof(*cgroups));
	int result;

	if (!cgroups)
		return error_set(err, -ENOMEM, "no memory for the table of cgroups");
	cgroups->map = map_new(sizeof(uint64_t), CGROUPS_CAP);
	result = cgroups->map ? cgroup_trees_read(&cgroups->trees) : -ENOMEM;
	if (result < 0) {
		cgroups_free(cgroups);
		return error_set(err, result, "cannot read /proc/self/mountinfo: %s",
				 strerror(-result));
	}
	*ret = cgroups;
	return 0;
}

static void destroy(struct cgroup *cgroup)
{
	free(cgroup->path);
	for (int tree = 0; tree < CGROUP_TREES; tree++)
		free(cgroup->others[tree]);
	container_facts_clear(&cgroup->facts);
	free(cgroup);
}

static bool forget(const void *key, void *value, void *context)
{
	map_remove(context, key);
	destroy(value);
	return true;
}

void cgroups_free(struct cgroups *cgroups)
{
	if (!cgroups)
		return;
	if (cgroups->map)
		map_visit(cgroups->map, forget, cgroups->map);
	map_free(cgroups->map);
	free(cgroups);
}

static bool has_id(const char *folder, uint64_t id)
{
	struct stat info;

	return stat(folder, &info) == 0 && info.st_ino == id;
}

static bool is_there(const struct cgroups *cgroups, const struct cgroup *cgroup)
{
	char folder[CGROUP_PATH_BYTES];

	return cgroup->path[0] &&
	       cgroup_tree_folder(&cgroups->trees, CGROUP_MEMORY, cgroup->path, folder) &&
	       has_id(folder, cgroup->id);
}

/* For the id of a cgroup without live processes: looks through the folders, at most once a second.
 */
static bool path_by_walk(struct cgroups *cgroups, uint64_t id, char path[CGROUP_PATH_BYTES])
{
	uint64_t now = clock_monotonic_ns();

	if (cgroups->walked_at && now - cgroups->walked_at < NS_PER_S)
		return false;
	cgroups->walked_at = now;
	return cgroup_walk_find(&cgroups->trees, id, path);
}

/* On version 1 a process may be elsewhere in one controller's tree than in another's; where it is
 * gone, the same path is the best guess (every runtime uses one path for all). */
static int keep_paths(struct cgroup *cgroup, const struct cgroup_paths *paths)
{
	for (int tree = 0; tree < CGROUP_TREES; tree++) {
		free(cgroup->others[tree]);
		cgroup->others[tree] = NULL;
		if (strcmp(paths->of[tree], cgroup->path) == 0)
			continue;
		cgroup->others[tree] = strdup(paths->of[tree]);
		if (!cgroup->others[tree])
			return -ENOMEM;
	}
	return 0;
}

const char *cgroup_path_in(const struct cgroup *cgroup, enum cgroup_tree tree)
{
	return cgroup->others[tree] ? cgroup->others[tree] : cgroup->path;
}

static int find(struct cgroups *cgroups, struct cgroup *cgroup, const char *known)
{
	char folder[CGROUP_PATH_BYTES], walked[CGROUP_PATH_BYTES];
	struct cgroup_paths paths;
	const char *path = known;

	if (cgroup->pid && cgroup_tree_paths(&cgroups->trees, cgroup->pid, &paths) &&
	    cgroup_tree_folder(&cgroups->trees, CGROUP_MEMORY, paths.of[CGROUP_MEMORY], folder) &&
	    has_id(folder, cgroup->id)) {
		cgroup->path = strdup(paths.of[CGROUP_MEMORY]);
		return cgroup->path ? keep_paths(cgroup, &paths) : -ENOMEM;
	}
	if (!*path && path_by_walk(cgroups, cgroup->id, walked))
		path = walked;
	cgroup->path = strdup(path);
	return cgroup->path ? 0 : -ENOMEM;
}

static void read_limits(const struct cgroups *cgroups, struct cgroup *cgroup)
{
	if (!is_there(cgroups, cgroup))
		return;
	cgroup->limits_known = true;
	cgroup->memory_limit_bytes = cgroup_limits_memory(&cgroups->trees, cgroup->path);
	cgroup->cpu_limit = cgroup_limits_cpu(&cgroups->trees, cgroup_path_in(cgroup, CGROUP_CPU));
}

static struct cgroup *make(struct cgroups *cgroups, uint64_t id, uint32_t pid,
			   const struct cgroup_birth *birth)
{
	struct cgroup *cgroup = calloc(1, sizeof(*cgroup));
	struct cgroup_name name;

	if (!cgroup)
		return NULL;
	cgroup->id = id;
	cgroup->pid = pid;
	cgroup->seen_at = birth && birth->made_at ? birth->made_at : clock_real_ns();
	if (find(cgroups, cgroup, birth ? birth->path : "") < 0) {
		destroy(cgroup);
		return NULL;
	}
	cgroup_name(cgroup->path, &name);
	cgroup->runtime = name.runtime;
	memcpy(cgroup->container_id, name.container_id, sizeof(cgroup->container_id));
	read_limits(cgroups, cgroup);
	return cgroup;
}

struct cgroup *cgroups_find(const struct cgroups *cgroups, uint64_t id)
{
	return map_get(cgroups->map, &id);
}

struct cgroup *cgroups_add(struct cgroups *cgroups, uint64_t id, uint32_t pid,
			   const struct cgroup_birth *birth)
{
	struct cgroup *cgroup = make(cgroups, id, pid, birth);

	if (!cgroup)
		return NULL;
	if (map_count(cgroups->map) >= CGROUPS_CAP)
		map_visit(cgroups->map, forget, cgroups->map);
	if (map_put(cgroups->map, &id, cgroup) < 0) {
		destroy(cgroup);
		return NULL;
	}
	return cgroup;
}

struct check {
	struct cgroups *cgroups;
	const struct cgroups_watch *watch;
};

static void look_again(const struct check *check, struct cgroup *cgroup)
{
	double cpu_limit = cgroup->cpu_limit;
	uint64_t memory_limit_bytes = cgroup->memory_limit_bytes;
	struct cgroup_paths paths;

	cgroup->settled = true;
	if (cgroup->pid && cgroup_tree_paths(&check->cgroups->trees, cgroup->pid, &paths) &&
	    strcmp(paths.of[CGROUP_MEMORY], cgroup->path) == 0)
		keep_paths(cgroup, &paths);
	read_limits(check->cgroups, cgroup);
	if (cgroup->cpu_limit != cpu_limit || cgroup->memory_limit_bytes != memory_limit_bytes)
		check->watch->changed(check->watch->context, cgroup);
}

static bool check_one(const void *key, void *value, void *context)
{
	const struct check *check = context;
	struct cgroup *cgroup = value;

	if (!is_there(check->cgroups, cgroup)) {
		if (cgroup->path[0])
			check->watch->gone(check->watch->context, cgroup);
		return forget(key, cgroup, check->cgroups->map);
	}
	if (!cgroup->settled)
		look_again(check, cgroup);
	return true;
}

void cgroups_check(struct cgroups *cgroups, const struct cgroups_watch *watch)
{
	struct check check = { cgroups, watch };

	map_visit(cgroups->map, check_one, &check);
}

void cgroups_remove(struct cgroups *cgroups, uint64_t id, const struct cgroups_watch *watch)
{
	struct cgroup *cgroup = map_remove(cgroups->map, &id);

	if (!cgroup)
		return;
	if (cgroup->path[0])
		watch->gone(watch->context, cgroup);
	destroy(cgroup);
}

struct visit {
	void (*call)(struct cgroup *cgroup, void *context);
	void *context;
};

static bool visit_one(const void *key, void *value, void *context)
{
	const struct visit *visit = context;

	visit->call(value, visit->context);
	return true;
}

void cgroups_visit(struct cgroups *cgroups, void (*visit)(struct cgroup *cgroup, void *context),
		   void *context)
{
	struct visit all = { visit, context };

	map_visit(cgroups->map, visit_one, &all);
}

bool cgroups_usage(const struct cgroups *cgroups, const struct cgroup *cgroup,
		   struct cgroup_usage *ret)
{
	char folders[CGROUP_TREES][CGROUP_PATH_BYTES];

	if (strcmp(cgroup->path, "/") == 0 || !is_there(cgroups, cgroup))
		return false;
	for (enum cgroup_tree tree = 0; tree < CGROUP_TREES; tree++) {
		const char *path = cgroup_path_in(cgroup, tree);

		if (!*path || strcmp(path, "/") == 0 ||
		    !cgroup_tree_folder(&cgroups->trees, tree, path, folders[tree]))
			folders[tree][0] = '\0';
	}
	cgroup_usage_read(&cgroups->trees, (const char(*)[CGROUP_PATH_BYTES])folders, ret);
	/* Version 2 counts CPU time in every cgroup, whoever has the controller. */
	if (!ret->cpu_known && ret->unified_cpu_ns &&
	    strcmp(cgroup_path_in(cgroup, CGROUP_UNIFIED), cgroup->path) == 0) {
		ret->cpu_ns = ret->unified_cpu_ns;
		ret->cpu_known = 1;
	}
	return true;
}

bool cgroup_is_container(const struct cgroup *cgroup)
{
	return cgroup->container_id[0] && strcmp(cgroup->runtime, "systemd") != 0;
}
