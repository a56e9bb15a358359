/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/cgroup.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"

/* Cgroups that the agent marked: to report their end, to follow their processes. */

bool cgroups_follow; /* at least one is followed */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CGROUPS_MARKS_MAX);
	__type(key, __u64);
	__type(value, __u32); /* enum cgroup_mark */
} cgroups_marked SEC(".maps");

static __always_inline bool cgroup_is_followed(struct task_struct *task)
{
	__u64 id;
	__u32 *mark;

	if (!cgroups_follow)
		return false;
	id = cgroup_id_of(task);
	mark = bpf_map_lookup_elem(&cgroups_marked, &id);
	return mark && *mark & CGROUP_FOLLOWED;
}

/* A cgroup made in one that hands its mark on is followed before any process can run in it. */
static __always_inline void inherit_mark(struct cgroup *cgroup, __u64 id)
{
	__u32 *mark, handed = CGROUP_FOLLOWED | CGROUP_HANDED;
	__u64 outer;

	if (!cgroups_follow)
		return;
	outer = BPF_CORE_READ(cgroup, self.parent, cgroup, kn, id);
	mark = bpf_map_lookup_elem(&cgroups_marked, &outer);
	if (mark && *mark & CGROUP_HANDED)
		bpf_map_update_elem(&cgroups_marked, &id, &handed, BPF_ANY);
}
