/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/process.h"

/*
 * Records and map values of cgroups: those of the memory controller's hierarchy if it is on version
 * 1, else of version 2's hierarchy.
 */
#define CGROUP_PATH_MAX   256 /* a longer path is not kept; the agent finds it by the id */
#define CGROUPS_BORN_MAX  768 /* the least recently used are dropped */
#define CGROUPS_MARKS_MAX 8192

struct cgroup_born {
	__u64 made_ns;           /* boot-time clock */
	__u64 gone_ns;           /* 0: it exists */
	__u64 memory_peak_pages; /* at its end; 0: not known */
	char path[CGROUP_PATH_MAX];
};

enum cgroup_mark {
	CGROUP_WATCHED = 1,  /* its end is sent as a record */
	CGROUP_FOLLOWED = 2, /* an exec in it begins tracking */
	CGROUP_HANDED = 4,   /* each cgroup made in it is followed, too */
};

/* PROCESS_CGROUP_MADE has the path, PROCESS_CGROUP_GONE an empty one. Of head only kind, at_ns and
 * cgroup_id are set. */
struct process_cgroup_record {
	struct process_head head;
	__u64 memory_peak_pages; /* as in cgroup_born */
	char path[CGROUP_PATH_MAX];
};
