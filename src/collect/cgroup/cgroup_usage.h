/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "collect/cgroup/cgroup_tree.h"

/*
 * What a cgroup used and was denied, cumulative since it was made, as the kernel keeps it. Names
 * and units are those of ContainerSample (proto/signal.proto). What a kernel or a version does not
 * keep is 0.
 */
struct cgroup_usage {            /* without padding: two are compared whole */
	uint64_t cpu_known;      /* 0: this cgroup is in no tree that counts CPUs */
	uint64_t unified_cpu_ns; /* of its namesake in version 2's tree */
	uint64_t cpu_ns, cpu_periods, cpu_throttled_periods, cpu_throttled_ns;
	uint64_t memory_bytes, memory_peak_bytes; /* levels */
	uint64_t memory_unreclaimable_bytes;      /* a level */
	uint64_t memory_high_events, memory_max_events, memory_oom_events, memory_oom_kills;
	uint64_t cpu_pressure_ns, memory_pressure_ns, io_pressure_ns;
	uint64_t cpu_pressure_full_ns, memory_pressure_full_ns, io_pressure_full_ns;
};

/* folders: of the cgroup in each tree, "" where it is in the tree's root (with files of the
 * whole host) or in none. */
void cgroup_usage_read(const struct cgroup_trees *trees,
		       const char folders[CGROUP_TREES][CGROUP_PATH_BYTES],
		       struct cgroup_usage *ret);

/* The number behind a key at the beginning of a line ("nr_throttled 12"); key NULL: the number that
 * the text is; of pressure files ("some avg10=0.00 … total=12") that behind total=. false: it is
 * not there. Pure. */
bool cgroup_usage_value(const char *text, const char *key, uint64_t *ret);
