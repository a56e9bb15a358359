/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/cgroup.h"
#include "probe/abi/process_head.h"
#include "probe/bpf/cgroup/cgroup_mark.bpf.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/state.bpf.h"

/* Cgroups that are made and removed. */

const volatile __u32 cgroup_tree; /* the hierarchy's number; 0: that of version 2 */

/* A cgroup may be removed, and all its processes gone, before the agent receives its first record.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, CGROUPS_BORN_MAX);
	__type(key, __u64);
	__type(value, struct cgroup_born);
} cgroups_born SEC(".maps");

/* Sends the record of a cgroup. born NULL: it was removed. If the ring is full, the agent finds an
 * end later by the missing folder, but it cannot find the processes of a cgroup that should be
 * followed. */
static __always_inline void send_cgroup(__u64 id, const struct cgroup_born *born, __u64 now_ns,
					__u64 peak_pages)
{
	struct process_cgroup_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record) {
		if (born && cgroups_follow)
			__sync_fetch_and_add(&losses.untracked, 1);
		return;
	}
	__builtin_memset(record, 0, sizeof(*record));
	record->head.kind = born ? PROCESS_CGROUP_MADE : PROCESS_CGROUP_GONE;
	record->head.at_ns = now_ns;
	record->head.cgroup_id = id;
	record->memory_peak_pages = peak_pages;
	if (born)
		__builtin_memcpy(record->path, born->path, sizeof(record->path));
	bpf_ringbuf_submit(record, born ? BPF_RB_FORCE_WAKEUP : ring_flags());
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_cgroup_mkdir, struct cgroup *cgroup, const char *path)
{
	struct cgroup_born born = { .made_ns = bpf_ktime_get_boot_ns() };
	__u64 id = cgroup->kn->id;

	if ((__u32)cgroup->root->hierarchy_id != cgroup_tree)
		return 0;
	if (bpf_probe_read_kernel_str(born.path, sizeof(born.path), path) >= CGROUP_PATH_MAX)
		born.path[0] = '\0';
	bpf_map_update_elem(&cgroups_born, &id, &born, BPF_ANY);
	inherit_mark(cgroup, id);
	send_cgroup(id, &born, born.made_ns, 0);
	return 0;
}

/* The value of max_usage_in_bytes (v1) or memory.peak (v2), of which the files cannot be read any
 * more. */
static __always_inline __u64 peak_pages_of(struct cgroup *cgroup)
{
	struct cgroup_subsys_state **all =
		(void *)cgroup + bpf_core_field_offset(struct cgroup, subsys);
	struct cgroup_subsys_state *memory = NULL;

	if (!bpf_core_enum_value_exists(enum cgroup_subsys_id, memory_cgrp_id))
		return 0;
	bpf_probe_read_kernel(&memory, sizeof(memory),
			      &all[bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id)]);
	return memory ? BPF_CORE_READ(memory_group_of(memory), memory.watermark) : 0;
}

SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(on_cgroup_rmdir, struct cgroup *cgroup, const char *path)
{
	__u64 id = cgroup->kn->id, now_ns = bpf_ktime_get_boot_ns(), peak_pages;
	struct cgroup_born *born;
	__u32 *mark;

	if ((__u32)cgroup->root->hierarchy_id != cgroup_tree)
		return 0;
	peak_pages = peak_pages_of(cgroup);
	born = bpf_map_lookup_elem(&cgroups_born, &id);
	if (born) {
		born->gone_ns = now_ns;
		born->memory_peak_pages = peak_pages;
	}
	mark = bpf_map_lookup_elem(&cgroups_marked, &id);
	if (!mark)
		return 0;
	if (*mark & CGROUP_WATCHED)
		send_cgroup(id, NULL, now_ns, peak_pages);
	bpf_map_delete_elem(&cgroups_marked, &id);
	return 0;
}
