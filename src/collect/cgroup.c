#include "collect/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"

#define PATH_BYTES      4096
#define SMALL_FILE      4096
#define MOUNTINFO_LIMIT (1u << 20)

/* Where a hierarchy is seen: folder + path, less root, is a cgroup's folder. */
struct hierarchy {
	char folder[512], root[512]; /* folder "": not mounted */
};

struct cgroups {
	struct hierarchy memory, cpu, unified; /* version 1 twice, version 2 */
	struct map *map;
	uint64_t walked_at; /* monotonic: at most one walk a second */
};

/* Fields of a line of mountinfo (proc(5)): id parent major:minor root folder options … - type
 * source super-options. */
static void read_mount(struct cgroups *cgroups, const char *line)
{
	char root[512], folder[512], type[32], options[256];
	const char *separator = strstr(line, " - ");
	struct hierarchy hierarchy;

	if (!separator || sscanf(line, "%*s %*s %*s %511s %511s", root, folder) != 2 ||
	    sscanf(separator + 3, "%31s %*s %255s", type, options) != 2)
		return;
	(void)snprintf(hierarchy.root, sizeof(hierarchy.root), "%s",
		       strcmp(root, "/") == 0 ? "" : root);
	(void)snprintf(hierarchy.folder, sizeof(hierarchy.folder), "%s", folder);
	if (strcmp(type, "cgroup2") == 0)
		cgroups->unified = hierarchy;
	if (strcmp(type, "cgroup") != 0)
		return;
	for (char *name = options, *next; name; name = next) {
		next = strchr(name, ',');
		if (next)
			*next++ = '\0';
		if (strcmp(name, "memory") == 0)
			cgroups->memory = hierarchy;
		if (strcmp(name, "cpu") == 0)
			cgroups->cpu = hierarchy;
	}
}

static int read_mounts(struct cgroups *cgroups)
{
	CLEANUP(freep) char *text = NULL;
	size_t len;
	int result = file_read(AT_FDCWD, "/proc/self/mountinfo", MOUNTINFO_LIMIT, &text, &len);

	for (char *line = text, *next; result == 0 && line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		read_mount(cgroups, line);
	}
	return result;
}

int cgroups_new(struct cgroups **ret, struct error *err)
{
	struct cgroups *cgroups = calloc(1, sizeof(*cgroups));
	int result;

	if (!cgroups)
		return error_set(err, -ENOMEM, "no memory for the table of cgroups");
	cgroups->map = map_new(sizeof(uint64_t), CGROUPS_CAP);
	result = cgroups->map ? read_mounts(cgroups) : -ENOMEM;
	if (result < 0) {
		cgroups_free(cgroups);
		return error_set(err, result, "cannot read /proc/self/mountinfo: %s",
				 strerror(-result));
	}
	*ret = cgroups;
	return 0;
}

static bool forget(const void *key, void *value, void *context)
{
	struct cgroup *cgroup = value;

	map_remove(context, key);
	free(cgroup->path);
	free(cgroup);
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

static const struct hierarchy *home(const struct cgroups *cgroups)
{
	return cgroups->memory.folder[0] ? &cgroups->memory : &cgroups->unified;
}

/* The folder of a path in a hierarchy; false when it lies outside what is mounted, or is too long.
 */
static bool folder_of(const struct hierarchy *hierarchy, const char *path, char folder[PATH_BYTES])
{
	size_t root = strlen(hierarchy->root);
	int len;

	if (!hierarchy->folder[0] || strncmp(path, hierarchy->root, root) != 0)
		return false;
	len = snprintf(folder, PATH_BYTES, "%s%s", hierarchy->folder, path + root);
	return len > 0 && len < PATH_BYTES;
}

static bool has_id(const char *folder, uint64_t id)
{
	struct stat info;

	return stat(folder, &info) == 0 && info.st_ino == id;
}

/* Whether the list of controllers of a line of /proc/PID/cgroup holds this one ("": version 2,
 * whose list is empty). */
static bool lists(const char *controllers, const char *controller)
{
	size_t len = strlen(controller);

	if (!len)
		return !controllers[0];
	for (; controllers; controllers = strchr(controllers, ',')) {
		controllers += *controllers == ',';
		if (strncmp(controllers, controller, len) == 0 &&
		    (controllers[len] == ',' || !controllers[len]))
			return true;
	}
	return false;
}

/* The path of a process in the hierarchy of a controller, from /proc/PID/cgroup: lines
 * "7:memory,hugetlb:/path", "0::/path". */
static bool path_of_process(uint32_t pid, const char *controller, char path[PATH_BYTES])
{
	CLEANUP(freep) char *text = NULL;
	char name[64], *rest, *line;
	size_t len;

	(void)snprintf(name, sizeof(name), "/proc/%u/cgroup", pid);
	if (file_read(AT_FDCWD, name, 64u << 10, &text, &len) < 0)
		return false;
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		char *controllers;

		strsep(&line, ":");
		controllers = strsep(&line, ":");
		if (line && lists(controllers, controller))
			return snprintf(path, PATH_BYTES, "%s", line) < PATH_BYTES;
	}
	return false;
}

struct walk {
	uint64_t id;
	char folder[PATH_BYTES];
	unsigned left; /* folders that may still be opened */
};

/* Depth first below walk->folder, which is the found one when it returns true. An entry's inode is
 * the cgroup's id. */
static bool walk_find(struct walk *walk, unsigned depth)
{
	DIR *stream = depth < CGROUPS_DEPTH && walk->left ? opendir(walk->folder) : NULL;
	size_t len = strlen(walk->folder);
	struct dirent *entry;
	bool found = false;

	if (!stream)
		return false;
	walk->left--;
	while (!found &&
	       (entry = readdir(stream))) { /* NOLINT(concurrency-mt-unsafe): one thread */
		size_t name = strlen(entry->d_name);

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
		    len + name + 2 > PATH_BYTES)
			continue;
		walk->folder[len] = '/';
		memcpy(walk->folder + len + 1, entry->d_name, name + 1);
		found = entry->d_ino == walk->id || walk_find(walk, depth + 1);
		if (!found)
			walk->folder[len] = '\0';
	}
	closedir(stream);
	return found;
}

/* For an id whose processes are gone: looks through the folders, at most once a second. */
static bool path_by_walk(struct cgroups *cgroups, uint64_t id, char path[PATH_BYTES])
{
	const struct hierarchy *hierarchy = home(cgroups);
	struct walk walk = { .id = id, .left = CGROUPS_WALK };
	uint64_t now = clock_monotonic_ns();

	if (!hierarchy->folder[0] || (cgroups->walked_at && now - cgroups->walked_at < NS_PER_S))
		return false;
	cgroups->walked_at = now;
	(void)snprintf(walk.folder, sizeof(walk.folder), "%s", hierarchy->folder);
	if (!walk_find(&walk, 0))
		return false;
	return snprintf(path, PATH_BYTES, "%s%s", hierarchy->root,
			walk.folder + strlen(hierarchy->folder)) < PATH_BYTES;
}

static bool find_path(struct cgroups *cgroups, uint64_t id, uint32_t pid, char path[PATH_BYTES])
{
	const char *controller = cgroups->memory.folder[0] ? "memory" : "";
	char folder[PATH_BYTES];

	if (path_of_process(pid, controller, path) && folder_of(home(cgroups), path, folder) &&
	    has_id(folder, id))
		return true;
	return path_by_walk(cgroups, id, path);
}

static bool read_small(const char *folder, const char *file, char text[SMALL_FILE])
{
	CLEANUP(freep) char *whole = NULL;
	char name[PATH_BYTES + 64];
	size_t len;

	(void)snprintf(name, sizeof(name), "%s/%s", folder, file);
	if (file_read(AT_FDCWD, name, SMALL_FILE - 1, &whole, &len) < 0)
		return false;
	memcpy(text, whole, len + 1);
	return true;
}

static double cpu_limit_at(const char *folder)
{
	char quota[SMALL_FILE], period[SMALL_FILE];

	if (read_small(folder, "cpu.max", quota))
		return cgroup_parse_cpu_max(quota);
	if (!read_small(folder, "cpu.cfs_quota_us", quota) ||
	    !read_small(folder, "cpu.cfs_period_us", period))
		return 0;
	quota[strcspn(quota, "\n")] = '\0';
	(void)snprintf(quota + strlen(quota), 32, " %.30s", period);
	return cgroup_parse_cpu_max(quota);
}

static double memory_limit_at(const char *folder)
{
	char text[SMALL_FILE];

	if (read_small(folder, "memory.max", text) ||
	    read_small(folder, "memory.limit_in_bytes", text))
		return (double)cgroup_parse_memory_max(text);
	return 0;
}

/* The smallest limit from a folder up to the hierarchy's own: each holds for all below. */
static double smallest(const struct hierarchy *hierarchy, const char *path,
		       double (*limit_at)(const char *folder))
{
	char folder[PATH_BYTES];
	double least = 0;

	if (!folder_of(hierarchy, path, folder))
		return 0;
	for (unsigned depth = 0; depth < CGROUPS_DEPTH; depth++) {
		double limit = limit_at(folder);
		char *last = strrchr(folder, '/');

		if (limit > 0 && (least <= 0 || limit < least))
			least = limit;
		if (strlen(folder) <= strlen(hierarchy->folder) || !last)
			break;
		*last = '\0';
	}
	return least;
}

/* On version 1 a process may be elsewhere in the CPU controller's tree than in the memory one's;
 * where it is gone, the same path is the best guess (every runtime uses one path for all). */
static void read_limits(struct cgroups *cgroups, struct cgroup *cgroup, uint32_t pid)
{
	char path[PATH_BYTES];

	cgroup->memory_limit_bytes =
		(uint64_t)smallest(home(cgroups), cgroup->path, memory_limit_at);
	if (!cgroups->memory.folder[0])
		cgroup->cpu_limit = smallest(&cgroups->unified, cgroup->path, cpu_limit_at);
	else if (pid && path_of_process(pid, "cpu", path))
		cgroup->cpu_limit = smallest(&cgroups->cpu, path, cpu_limit_at);
	else
		cgroup->cpu_limit = smallest(&cgroups->cpu, cgroup->path, cpu_limit_at);
}

static struct cgroup *make(struct cgroups *cgroups, uint64_t id, uint32_t pid)
{
	struct cgroup *cgroup = calloc(1, sizeof(*cgroup));
	char path[PATH_BYTES] = "";

	if (!cgroup)
		return NULL;
	cgroup->id = id;
	cgroup->seen_at = clock_real_ns();
	if (!find_path(cgroups, id, pid, path))
		path[0] = '\0';
	cgroup->path = strdup(path);
	if (!cgroup->path) {
		free(cgroup);
		return NULL;
	}
	cgroup->runtime = cgroup_runtime(path, cgroup->container_id);
	cgroup->pid = pid;
	if (path[0])
		read_limits(cgroups, cgroup, pid);
	return cgroup;
}

const struct cgroup *cgroups_get(struct cgroups *cgroups, uint64_t id, uint32_t pid, bool *ret_new)
{
	struct cgroup *cgroup = map_get(cgroups->map, &id);

	*ret_new = false;
	if (cgroup)
		return cgroup;
	cgroup = make(cgroups, id, pid);
	if (!cgroup)
		return NULL;
	if (map_count(cgroups->map) >= CGROUPS_CAP)
		map_visit(cgroups->map, forget, cgroups->map);
	if (map_put(cgroups->map, &id, cgroup) < 0) {
		free(cgroup->path);
		free(cgroup);
		return NULL;
	}
	*ret_new = true;
	return cgroup;
}

struct check {
	struct cgroups *cgroups;
	const struct cgroups_watch *watch;
};

static bool check_one(const void *key, void *value, void *context)
{
	const struct check *check = context;
	struct cgroup *cgroup = value, before = *cgroup;
	char folder[PATH_BYTES];

	if (!folder_of(home(check->cgroups), cgroup->path, folder) || !has_id(folder, cgroup->id)) {
		if (cgroup->path[0])
			check->watch->gone(check->watch->context, cgroup);
		return forget(key, cgroup, check->cgroups->map);
	}
	if (cgroup->settled)
		return true;
	cgroup->settled = true;
	read_limits(check->cgroups, cgroup, cgroup->pid);
	if (cgroup->cpu_limit != before.cpu_limit ||
	    cgroup->memory_limit_bytes != before.memory_limit_bytes)
		check->watch->changed(check->watch->context, cgroup);
	return true;
}

void cgroups_check(struct cgroups *cgroups, const struct cgroups_watch *watch)
{
	struct check check = { cgroups, watch };

	map_visit(cgroups->map, check_one, &check);
}
