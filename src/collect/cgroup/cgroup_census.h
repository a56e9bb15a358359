/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/arena.h"
#include "collect/cgroup/cgroup_tree.h"

/*
 * All cgroups of the host at one time, with what each used itself: the kernel's counters hold what
 * the cgroups below used, too, and of removed ones all that they ever did; here the former is taken
 * off. They are those of the tree that counts CPU time (cpuacct's on version 1, else version 2's).
 */
#define CENSUS_MAX \
	8192 /* counted each by itself; what is beyond counts with the one that it is in */

struct census_cgroup {
	char *path;
	uint64_t id;    /* its folder's inode */
	size_t above;   /* index of the one it is in; of the first: itself */
	int64_t cpu_ns; /* since it was made; may be a little below 0, as counters are read one by
			   one */
	uint64_t memory_bytes;
	bool memory_known; /* false: the kernel does not count it here */
};

struct census {
	struct census_cgroup *cgroups; /* the outer before the inner; the first is the root */
	size_t count;
	struct map *by_path;
	struct arena paths;
	bool root_known; /* false: the kernel keeps no exact count of the root's own */
};

/* Reads all. 0, -ENOMEM, or -errno of the mounts. */
int census_take(struct census *ret);
void census_clear(struct census *census); /* an empty one is fine */
/* The index of the cgroup of this path, or of the nearest one above that is there. */
size_t census_find(const struct census *census, const char *path);
