#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * From a cgroup's id (the inode number of its folder) to its path, the container that the path
 * names, and its limits; version 1, 2 and both at once. The folder tree is that of version 1's
 * memory controller where one is mounted, else version 2's: the same choice as
 * probe_fork.cgroup_id.
 */
struct cgroups;

#define CGROUPS_CAP   4096  /* known at once; beyond that all are forgotten, and found again */
#define CGROUPS_WALK  20000 /* folders looked at for one id whose processes are gone */
#define CGROUPS_DEPTH 16

struct cgroup {
	uint64_t id;
	char *path;          /* "/system.slice/docker-….scope"; "" when it could not be found */
	const char *runtime; /* docker containerd cri-o podman apptainer slurm systemd …; "" */
	char container_id[128];
	double cpu_limit;            /* in CPUs, the smallest up to the root; 0: none */
	uint64_t memory_limit_bytes; /* 0: none */
	int64_t seen_at;             /* wall-clock, ns */
	uint32_t pid;                /* by which it was found */
	bool settled; /* limits were read a second time: a runtime may set them after the start */
};

/* Finds the mounts. A host without cgroups gives a table in which nothing is found. */
int cgroups_new(struct cgroups **ret, struct error *err);
void cgroups_free(struct cgroups *cgroups); /* NULL is fine */

/* The cgroup with this id, found by pid, which is (or was) in it. NULL without memory. *ret_new: it
 * was not known before. Owned by cgroups, until it is reported gone. */
const struct cgroup *cgroups_get(struct cgroups *cgroups, uint64_t id, uint32_t pid, bool *ret_new);

/* Looks at all of them again: calls changed for each whose limits are others now, gone for each
 * whose folder is no more (it is forgotten then). */
struct cgroups_watch {
	void (*changed)(void *context, const struct cgroup *cgroup);
	void (*gone)(void *context, const struct cgroup *cgroup);
	void *context;
};
void cgroups_check(struct cgroups *cgroups, const struct cgroups_watch *watch);

/* Which runtime and container a path names: pure. The runtime, or ""; the id in
 * ret_container_id. */
const char *cgroup_runtime(const char *path, char ret_container_id[128]);
/* "max 100000", "150000 100000" → CPUs; 0: no limit. Pure. */
double cgroup_parse_cpu_max(const char *text);
/* "max", "1073741824" → bytes; 0: no limit (version 1's "no limit" is 2^63 less a page). Pure. */
uint64_t cgroup_parse_memory_max(const char *text);
