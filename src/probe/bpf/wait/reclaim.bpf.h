/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/wait.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* Threads in direct reclaim or compaction. */

/* For kernels without pressure figures, which do not mark the thread (in_memstall). */
static __always_inline int reclaims(bool begins)
{
	struct waiter *waiter = waiter_of((__u32)bpf_get_current_pid_tgid());

	if (waiter)
		waiter->reclaims = begins;
	return 0;
}

SEC("tp_btf/mm_vmscan_direct_reclaim_begin")
int BPF_PROG(on_reclaim_begin)
{
	return reclaims(true);
}

SEC("tp_btf/mm_vmscan_direct_reclaim_end")
int BPF_PROG(on_reclaim_end)
{
	return reclaims(false);
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_begin")
int BPF_PROG(on_memcg_reclaim_begin)
{
	return reclaims(true);
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_end")
int BPF_PROG(on_memcg_reclaim_end)
{
	return reclaims(false);
}

SEC("tp_btf/mm_compaction_begin")
int BPF_PROG(on_compaction_begin)
{
	return reclaims(true);
}

SEC("tp_btf/mm_compaction_end")
int BPF_PROG(on_compaction_end)
{
	return reclaims(false);
}
