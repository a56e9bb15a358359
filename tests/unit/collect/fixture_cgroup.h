/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"

/* A real cgroup, of one path in each tree that this host has, below the root. */
struct cgroup_home {
	char path[128];
};

void cgroup_home_make(struct cgroup_home *home, const char *name); /* /tracer-test-NAME-PID */
void cgroup_home_make_at(struct cgroup_home *home, const char *path);
void cgroup_home_remove(struct cgroup_home *home); /* for CLEANUP */
/* Of one tree; a process that was just reaped may hold it for a moment. */
void cgroup_folder_remove(const char *folder);
/* As the agent names it. */
uint64_t cgroup_home_id(const struct cgroup_home *home);
void cgroup_home_join(const struct cgroup_home *home, pid_t pid);
void cgroup_home_limit_cpu(const struct cgroup_home *home, unsigned quota_us, unsigned period_us);
void cgroup_home_limit_memory(const struct cgroup_home *home, const char *bytes);
/* Kills it and waits; only waits. The signal that ended it. */
int cgroup_home_end(pid_t child);
int cgroup_home_wait(pid_t child);
