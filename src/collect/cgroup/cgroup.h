/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "collect/cgroup/cgroup_tree.h"
#include "collect/cgroup/cgroup_usage.h"
#include "collect/runtime/container_facts.h"

/*
 * From a cgroup's id (the inode number of its folder) to its path, the container that the path
 * names, and its limits; version 1, 2 and both at once. The folder tree is that of version 1's
 * memory controller where one is mounted, else version 2's: the same choice as
 * probe_fork.cgroup_id.
 */
struct cgroups;

#define CGROUPS_CAP   4096  /* known at once; beyond that all are forgotten, and found again */
#define CGROUPS_WALK  20000 /* folders looked at for one id that no live process has */
#define CGROUPS_DEPTH 16

struct cgroup {
	uint64_t id;
	char *path;          /* "/system.slice/docker-….scope"; "" when it could not be found */
	const char *runtime; /* as cgroup_name says it */
	char container_id[128];
	double cpu_limit;            /* in CPUs, the smallest up to the root; 0: none */
	uint64_t memory_limit_bytes; /* 0: none */
	int64_t seen_at;             /* wall-clock, ns: made, or first seen here */
	uint32_t pid;                /* by which it was found */
	bool limits_known;           /* its folder was there to be read */
	bool settled; /* limits were read a second time: a runtime may set them after the start */

	/* The owner's (container.h). */
	struct container_facts facts; /* as the runtime said */
	struct cgroup_usage usage;    /* as of sampled_at */
	int64_t sampled_at;           /* 0: not yet */
	int64_t stepped_ns;           /* by how much the wall clock was set since seen_at */
	uint32_t tick;                /* of the last interval in which tracked work was in it */
	bool used;                    /* tracked work was in it then, or came since */
	bool left;                    /* a tracked process in it ended since then */
	uint64_t judged_periods, judged_throttled; /* what usage was then */
	bool started;                              /* work of a run is (or was) in it */
	bool start_sent, throttled;                /* events said so */
	char run_id[40], task_id[40]; /* of the last tracked work in it; task_id "": of several */
	bool tasks;                   /* several tasks were in it */
	bool pod_asked;               /* its runtime was asked for its pod */

	/* Inside. */
	char *others[CGROUP_TREES]; /* paths in other trees; NULL: the same as path */
};

/* Finds the mounts. A host without cgroups gives a table in which nothing is found. */
int cgroups_new(struct cgroups **ret, struct error *err);
void cgroups_free(struct cgroups *cgroups); /* NULL is fine */

/* How a cgroup that is (or was) there was made, where the kernel reported it. */
struct cgroup_birth {
	const char *path; /* "": not known */
	int64_t made_at;  /* wall-clock, ns; 0: not known */
};

/* The cgroup with this id. NULL: not known. */
struct cgroup *cgroups_find(const struct cgroups *cgroups, uint64_t id);
/* Adds the cgroup with this id (which is not there yet), found by pid, which is (or was) in it, by
 * a walk, or by its birth (NULL: not known). NULL without memory. Owned by cgroups, until it is
 * reported gone. */
struct cgroup *cgroups_add(struct cgroups *cgroups, uint64_t id, uint32_t pid,
			   const struct cgroup_birth *birth);

struct cgroups_watch {
	void (*changed)(void *context, struct cgroup *cgroup);
	void (*gone)(void *context, struct cgroup *cgroup);
	void *context;
};
/* Looks at all of them again: calls changed for each that has other limits now, gone for each of
 * which the folder was removed (it is forgotten then). */
void cgroups_check(struct cgroups *cgroups, const struct cgroups_watch *watch);
/* The kernel says that this one was removed: as if cgroups_check had found it gone. */
void cgroups_remove(struct cgroups *cgroups, uint64_t id, const struct cgroups_watch *watch);
/* Visits each. */
void cgroups_visit(struct cgroups *cgroups, void (*visit)(struct cgroup *cgroup, void *context),
		   void *context);

/* Its path in a tree; "" where it is in none, or not known. */
const char *cgroup_path_in(const struct cgroup *cgroup, enum cgroup_tree tree);
/* What it used so far. false: it is gone, or the root of all. */
bool cgroups_usage(const struct cgroups *cgroups, const struct cgroup *cgroup,
		   struct cgroup_usage *ret);
/* A runtime made its path for a container, or a scheduler for a job. */
bool cgroup_is_container(const struct cgroup *cgroup);
