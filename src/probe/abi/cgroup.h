/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/process.h"

/*
 * What the kernel side keeps and tells of cgroups: those of the memory controller's tree where it
 * is on version 1, else of version 2's.
 */
#define CGROUP_PATH_MAX   256 /* of a longer path none is kept: its folder tells */
#define CGROUPS_BORN_MAX  768 /* the latest, by use */
#define CGROUPS_MARKS_MAX 8192

struct cgroup_born {
	__u64 made_ns;           /* boot-time clock */
	__u64 gone_ns;           /* 0: it is there */
	__u64 memory_peak_pages; /* at its end; 0: not known */
	char path[CGROUP_PATH_MAX];
};

enum cgroup_mark {
	CGROUP_WATCHED = 1,  /* a record tells of its end */
	CGROUP_FOLLOWED = 2, /* an exec in it begins tracking */
	CGROUP_HANDED = 4,   /* so it does in each that is made in it, from the first */
};

/* PROCESS_CGROUP_MADE has the path, PROCESS_CGROUP_GONE an empty one; of head only kind, at_ns and
 * cgroup_id are set. */
struct process_cgroup_record {
	struct process_head head;
	__u64 memory_peak_pages; /* as in cgroup_born */
	char path[CGROUP_PATH_MAX];
};
