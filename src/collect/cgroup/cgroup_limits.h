/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "collect/cgroup/cgroup_tree.h"

/* What a cgroup may use. */

/* In CPUs and in bytes, 0: no limit. Each is the smallest from the path up to the tree's root,
 * since each holds for all below. */
double cgroup_limits_cpu(const struct cgroup_trees *trees, const char *path);
uint64_t cgroup_limits_memory(const struct cgroup_trees *trees, const char *path);

/* "max 100000", "150000 100000" → CPUs; 0: no limit. Pure. */
double cgroup_parse_cpu_max(const char *text);
/* "max", "1073741824" → bytes; 0: no limit (version 1's "no limit" is 2^63 less a page). Pure. */
uint64_t cgroup_parse_memory_max(const char *text);
