/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "collect/cgroup/cgroup_tree.h"

/* Looks through the folders of a tree (version 2's where the controller has none of its own), at
 * most CGROUPS_WALK of them, CGROUPS_DEPTH levels deep. */

/* Visits each, the outer before the inner; visit returns false to stop. */
void cgroup_walk(const struct cgroup_trees *trees, enum cgroup_tree tree,
		 bool (*visit)(const char *path, uint64_t id, void *context), void *context);
/* The path of the cgroup with this id, in the memory controller's tree; false: none has it. */
bool cgroup_walk_find(const struct cgroup_trees *trees, uint64_t id, char path[CGROUP_PATH_BYTES]);
