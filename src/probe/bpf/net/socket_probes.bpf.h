/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/net/traffic.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/*
 * Bytes through sockets on kernels without sock_send_length and fexit (arm64 before 6.4): at the
 * functions of socket_calls.bpf.h, by a kprobe for the arguments and a kretprobe for the result.
 * socket_probes.c attaches them.
 */

struct socket_call {
	__u64 sk;
	__u64 flags;
};

/* By thread. An entry that stays because no return was seen is overwritten by the thread's next
 * call. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, WAIT_SLOTS);
	__type(key, __u32);
	__type(value, struct socket_call);
} socket_calls SEC(".maps");

static __always_inline int call_begins(__u64 socket, __u64 flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct socket_call call = { .flags = flags };
	__u32 tid = task->pid;

	if (!waiter_known(tid) && !waiter_known(task->tgid))
		return 0;
	call.sk = (__u64)BPF_CORE_READ((struct socket *)socket, sk);
	if (bpf_map_update_elem(&socket_calls, &tid, &call, BPF_ANY))
		__sync_fetch_and_add(&losses.network, 1);
	return 0;
}

static __always_inline int call_ends(int moved, bool sent)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct socket_call call, *found;
	__u32 tid = task->pid;

	if (!waiter_known(tid) && !waiter_known(task->tgid))
		return 0;
	found = bpf_map_lookup_elem(&socket_calls, &tid);
	if (!found)
		return 0;
	call = *found;
	bpf_map_delete_elem(&socket_calls, &tid);
	if (!sent && call.flags & MSG_PEEK)
		return 0;
	return socket_moved((void *)call.sk, false, moved, sent);
}

SEC("kprobe")
int on_send_begins(struct pt_regs *regs)
{
	return call_begins(PROBE_FIRST(regs), 0);
}

SEC("kprobe")
int on_receive_begins(struct pt_regs *regs)
{
	return call_begins(PROBE_FIRST(regs), PROBE_FOURTH(regs));
}

SEC("kretprobe")
int on_send_ends(struct pt_regs *regs)
{
	return call_ends((int)PROBE_RETURN(regs), true);
}

SEC("kretprobe")
int on_receive_ends(struct pt_regs *regs)
{
	return call_ends((int)PROBE_RETURN(regs), false);
}
