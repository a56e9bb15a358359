/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/failure.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/failure/kill_table.bpf.h"
#include "probe/bpf/failure/limit.bpf.h"

/* Signals that end processes, and who sent them. */

/* Harmless by default: SIGCHLD SIGCONT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGWINCH. */
#define KILL_HARMLESS (0x7fULL << 17 | 1ULL << 28)

/* The pointer may be 0 (sent by the running process) or 1 (by the kernel). The verifier takes
 * arguments of tracepoints for non-NULL pointers, so it is read as a number. */
static __always_inline void kill_cause(struct failure_kill *kill,
				       const unsigned long long *argument)
{
	struct kernel_siginfo *info;
	__u64 special = 0;

	bpf_probe_read_kernel(&special, sizeof(special), argument);
	info = (void *)special;
	if (special <= 1) {
		kill->code = special ? SI_KERNEL : SI_USER;
		return;
	}
	kill->code = BPF_CORE_READ(info, si_code);
	if (kill->code > 0 && kill->code < SI_KERNEL)
		kill->address = (__u64)BPF_CORE_READ(info, _sifields._sigfault._addr);
}

static __always_inline void kill_sender(struct failure_kill *kill)
{
	struct task_struct *sender = task_rdonly(bpf_get_current_task_btf());

	kill->sender_pid = sender->tgid;
	kill->sender_start_ns = BPF_CORE_READ(sender, group_leader, start_boottime);
	kill->sender_uid = BPF_CORE_READ(sender, real_cred, uid.val);
	bpf_get_current_comm(kill->sender_comm, sizeof(kill->sender_comm));
}

SEC("tp_btf/signal_generate")
int BPF_PROG(on_signal, int signal, struct kernel_siginfo *info, struct task_struct *task,
	     int group, int result)
{
	struct failure_kill kill = { .signal = signal }, *held;
	struct process_state *state;
	__u32 pid = task->tgid, key;

	if (signal < 1 || (signal < 32 && KILL_HARMLESS >> signal & 1) ||
	    (result != TRACE_SIGNAL_DELIVERED && result != TRACE_SIGNAL_LOSE_INFO))
		return 0;
	task = task_rdonly(task);
	state = state_of(task->group_leader);
	if (!state)
		return 0;
	kill.start_ns = state->start_ns;
	kill_cause(&kill, &ctx[1]);
	kill_sender(&kill);
	if (kill_known(&kill, pid))
		return 0;
	key = kill_key(&kill, pid);
	if (bpf_map_update_elem(&kills, &key, &kill, BPF_ANY))
		return 0;
	__sync_fetch_and_or(&state->flags, PROCESS_SIGNALLED);
	if (signal == SIGKILL && kill.code == SI_KERNEL) {
		held = bpf_map_lookup_elem(&kills, &pid);
		if (held)
			limit_find(held, task);
	}
	return 0;
}

/* The OOM killer marks the process to which it has just sent SIGKILL; a process that was ending
 * already is marked, too. */
static __always_inline int kill_marked(__u32 pid)
{
	struct failure_kill *kill = bpf_map_lookup_elem(&kills, &pid);

	if (kill && kill->signal == SIGKILL && kill->code == SI_KERNEL)
		kill->oom = 1;
	return 0;
}

SEC("tp_btf/mark_victim")
int BPF_PROG(on_victim, struct task_struct *task)
{
	return kill_marked(task->tgid);
}

/* Up to 6.8; later kernels give the task. */
SEC("tp_btf/mark_victim")
int BPF_PROG(on_victim_pid, int pid)
{
	return kill_marked(pid);
}
