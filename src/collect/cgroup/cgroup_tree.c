/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cgroup/cgroup_tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"

#define MOUNTINFO_LIMIT (1u << 20)
#define PROC_LIMIT      (64u << 10)

/* The controllers as the kernel names them; version 2's list is empty. */
static const char *const names[CGROUP_TREES] = { [CGROUP_MEMORY] = "memory",
						 [CGROUP_CPU] = "cpu",
						 [CGROUP_CPUACCT] = "cpuacct",
						 [CGROUP_UNIFIED] = "" };

/* Whether a list of controllers holds this one. */
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

/* Fields of a line of mountinfo (proc(5)): id parent major:minor root folder options … - type
 * source super-options. */
static void read_mount(struct cgroup_trees *trees, const char *line)
{
	char root[512], folder[512], type[32], options[256];
	const char *separator = strstr(line, " - ");
	struct cgroup_mount mount;

	if (!separator || sscanf(line, "%*s %*s %*s %511s %511s", root, folder) != 2 ||
	    sscanf(separator + 3, "%31s %*s %255s", type, options) != 2)
		return;
	(void)snprintf(mount.root, sizeof(mount.root), "%s", strcmp(root, "/") == 0 ? "" : root);
	(void)snprintf(mount.folder, sizeof(mount.folder), "%s", folder);
	if (strcmp(type, "cgroup2") == 0)
		trees->mounts[CGROUP_UNIFIED] = mount;
	for (int tree = 0; strcmp(type, "cgroup") == 0 && tree < CGROUP_UNIFIED; tree++)
		if (lists(options, names[tree]))
			trees->mounts[tree] = mount;
}

int cgroup_trees_read(struct cgroup_trees *ret)
{
	CLEANUP(freep) char *text = NULL;
	size_t len;
	int result = file_read(AT_FDCWD, "/proc/self/mountinfo", MOUNTINFO_LIMIT, &text, &len);

	memset(ret, 0, sizeof(*ret));
	for (char *line = text, *next; result == 0 && line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		read_mount(ret, line);
	}
	return result;
}

enum cgroup_tree cgroup_tree_serving(const struct cgroup_trees *trees, enum cgroup_tree tree)
{
	return trees->mounts[tree].folder[0] ? tree : CGROUP_UNIFIED;
}

bool cgroup_tree_folder(const struct cgroup_trees *trees, enum cgroup_tree tree, const char *path,
			char folder[CGROUP_PATH_BYTES])
{
	const struct cgroup_mount *mount = &trees->mounts[cgroup_tree_serving(trees, tree)];
	size_t root = strlen(mount->root);
	int len;

	if (!mount->folder[0] || strncmp(path, mount->root, root) != 0)
		return false;
	len = snprintf(folder, CGROUP_PATH_BYTES, "%s%s", mount->folder, path + root);
	return len > 0 && len < CGROUP_PATH_BYTES;
}

/* A line "7:memory,hugetlb:/path" or "0::/path". */
static void read_path(struct cgroup_paths *ret, char *line)
{
	char *controllers;

	strsep(&line, ":");
	controllers = strsep(&line, ":");
	for (int tree = 0; line && strlen(line) < CGROUP_PATH_BYTES && tree < CGROUP_TREES; tree++)
		if (lists(controllers, names[tree]))
			memcpy(ret->of[tree], line, strlen(line) + 1);
}

bool cgroup_tree_paths(const struct cgroup_trees *trees, uint32_t pid, struct cgroup_paths *ret)
{
	CLEANUP(freep) char *text = NULL;
	char name[64], *rest, *line;
	size_t len;

	for (int tree = 0; tree < CGROUP_TREES; tree++)
		ret->of[tree][0] = '\0';
	(void)snprintf(name, sizeof(name), "/proc/%u/cgroup", pid);
	if (file_read(AT_FDCWD, name, PROC_LIMIT, &text, &len) < 0)
		return false;
	rest = text;
	while ((line = strsep(&rest, "\n")))
		read_path(ret, line);
	for (int tree = 0; tree < CGROUP_UNIFIED; tree++)
		if (!trees->mounts[tree].folder[0])
			memcpy(ret->of[tree], ret->of[CGROUP_UNIFIED], CGROUP_PATH_BYTES);
	return true;
}

bool cgroup_tree_file(const char *folder, const char *file, char text[CGROUP_FILE_BYTES])
{
	CLEANUP(freep) char *whole = NULL;
	char name[CGROUP_PATH_BYTES + 64];
	size_t len;

	(void)snprintf(name, sizeof(name), "%s/%s", folder, file);
	if (file_read(AT_FDCWD, name, CGROUP_FILE_BYTES - 1, &whole, &len) < 0)
		return false;
	memcpy(text, whole, len + 1);
	return true;
}
