/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/bpf/core/core_types.h"

/*
 * Task pointers that are read by plain loads. For each field read through a trusted pointer (an
 * argument of a program), the verifier of 6.4 to 6.18 searches all type names several times: 2 ms
 * each, some 300 times in all. Through a pointer from bpf_rdonly_cast it does not.
 */

/* Since 6.2. */
extern void *bpf_rdonly_cast(const void *at, __u32 type) __ksym __weak;

/* Helpers do not accept the returned pointer. */
static __always_inline struct task_struct *task_rdonly(struct task_struct *task)
{
	if (bpf_rdonly_cast)
		return bpf_rdonly_cast(task, bpf_core_type_id_kernel(struct task_struct));
	return task;
}

static __always_inline struct rq *rq_of(struct task_struct *task)
{
	return task_rdonly(task)->se.cfs_rq->rq;
}
