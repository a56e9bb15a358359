/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/failure.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/identity.bpf.h"

/* The memory cgroup that was full when a process was killed for lack of memory. */

/* No tracepoint gives the cgroup that hit its limit: it is the fullest of the ancestors, before
 * anything is freed. Pages are charged in advance, 64 for each CPU. The result is in a map's
 * memory, where the verifier does not track it: otherwise each step of the loop would be a new
 * state. */
static __always_inline void limit_look(volatile struct failure_kill *kill,
				       struct page_counter *counter, struct mem_cgroup *group)
{
	__u64 limit = BPF_CORE_READ(counter, max), used = BPF_CORE_READ(counter, usage.counter);
	__u64 left = limit > used ? limit - used : 0;

	if (left >= kill->limit_left || (left > limit / 16 && left > 1024))
		return;
	kill->limit_left = left;
	kill->limit_pages = limit;
	kill->used_pages = used;
	kill->limit_level = BPF_CORE_READ(group, css.cgroup, level);
}

#define LIMIT_DEPTH 16

static __always_inline void limit_find(struct failure_kill *kill, struct task_struct *task)
{
	struct cgroup_subsys_state *css = memory_css_of(task);

	kill->limit_left = ~0ULL;
	kill->oom_score_adj = BPF_CORE_READ(task, signal, oom_score_adj);
	for (int i = 0; css && i < LIMIT_DEPTH; i++) {
		struct mem_cgroup *group = memory_group_of(css);

		limit_look(kill, &group->memory, group);
		if (memory_on_v1 && bpf_core_field_exists(group->memsw))
			limit_look(kill, &group->memsw, group);
		css = BPF_CORE_READ(css, parent);
	}
}
