/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * The trees of cgroups as they are mounted: version 1 has one a controller, version 2 one for all,
 * and a host may have both (hybrid). A controller without a tree of its own is looked for in
 * version 2's.
 */
enum cgroup_tree {
	CGROUP_MEMORY,
	CGROUP_CPU,
	CGROUP_CPUACCT,
	CGROUP_UNIFIED, /* version 2 */
	CGROUP_TREES
};

#define CGROUP_PATH_BYTES 4096

struct cgroup_trees {
	/* folder + path, less root, is a cgroup's folder; folder "": not mounted */
	struct cgroup_mount {
		char folder[512], root[512];
	} mounts[CGROUP_TREES];
};

/* A process's path in each tree; "" where it is in none. */
struct cgroup_paths {
	char of[CGROUP_TREES][CGROUP_PATH_BYTES];
};

/* From /proc/self/mountinfo. 0 or -errno. */
int cgroup_trees_read(struct cgroup_trees *ret);
/* The tree that serves this one: itself, or CGROUP_UNIFIED. */
enum cgroup_tree cgroup_tree_serving(const struct cgroup_trees *trees, enum cgroup_tree tree);
/* The folder that shows a path; false when it lies outside what is mounted, or is too long. */
bool cgroup_tree_folder(const struct cgroup_trees *trees, enum cgroup_tree tree, const char *path,
			char folder[CGROUP_PATH_BYTES]);
/* Where a process is, from /proc/PID/cgroup. false: it is gone. */
bool cgroup_tree_paths(const struct cgroup_trees *trees, uint32_t pid, struct cgroup_paths *ret);
/* Reads a small file in the folder of a cgroup: text of at most 4095 bytes. */
#define CGROUP_FILE_BYTES 4096
bool cgroup_tree_file(const char *folder, const char *file, char text[CGROUP_FILE_BYTES]);
