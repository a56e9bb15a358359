/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process_head.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"

/* The identity of a process: cgroup, namespaces, origin, the head of its records. */

const volatile bool memory_on_v1;

/* NULL: the kernel has no memory controller. On v2 that of the nearest cgroup with the controller.
 */
static __always_inline struct cgroup_subsys_state *memory_css_of(struct task_struct *task)
{
	struct cgroup_subsys_state **all =
		(void *)task->cgroups + bpf_core_field_offset(struct css_set, subsys);

	if (!bpf_core_enum_value_exists(enum cgroup_subsys_id, memory_cgrp_id))
		return NULL;
	return all[bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id)];
}

static __always_inline struct mem_cgroup *memory_group_of(struct cgroup_subsys_state *css)
{
	return (void *)css - bpf_core_field_offset(struct mem_cgroup, css);
}

/* On v1 and hybrid the memory controller's own hierarchy identifies a container. On v2 there is one
 * hierarchy, in which the memory controller may not reach down to the leaf. */
static __always_inline __u64 cgroup_id_of(struct task_struct *task)
{
	struct cgroup_subsys_state *memory = memory_on_v1 ? memory_css_of(task) : NULL;

	return memory ? memory->cgroup->kn->id : task->cgroups->dfl_cgrp->kn->id;
}

/* The pid in a namespace. No typed pointer: those take no variable offset. */
static __always_inline struct upid *number_of(struct task_struct *task, __u32 level)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);

	return (void *)pid + bpf_core_field_offset(struct pid, numbers) +
	       (__u64)level * bpf_core_type_size(struct upid);
}

static __always_inline __u32 pid_ns_of(struct task_struct *task)
{
	__u32 level = task->thread_pid->level;

	if (!level) /* in no container: loads are enough */
		return task->thread_pid->numbers[0].ns->ns.inum;
	return BPF_CORE_READ(number_of(task, level), ns, ns.inum);
}

/* Whether it is the init of a PID namespace: the container ends with it. */
static __always_inline bool is_init(struct task_struct *leader)
{
	__u32 level = leader->thread_pid->level;

	return level && BPF_CORE_READ(number_of(leader, level), nr) == 1;
}

static __always_inline void origin_of(struct process_origin *ret, struct task_struct *leader)
{
	struct task_struct *parent = leader->real_parent;

	ret->at_ns = leader->start_boottime;
	ret->parent_pid = parent->tgid;
	ret->parent_tid = 0;
	ret->parent_start_ns = parent->group_leader->start_boottime;
}

static __always_inline void head_of(struct process_head *head, __u32 kind,
				    struct task_struct *leader, __u64 now_ns, __u64 image_seq)
{
	head->kind = kind;
	head->pid = leader->tgid;
	head->start_ns = leader->start_boottime;
	head->at_ns = now_ns;
	head->image_seq = image_seq;
	head->cgroup_id = cgroup_id_of(leader);
	head->uid = leader->real_cred->uid.val;
	head->unused = 0;
}
