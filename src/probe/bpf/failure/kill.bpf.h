/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/failure.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/failure/limit.bpf.h"

/* Signals that end processes, and who sent them. */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, FAILURES_MAX);
	__type(key, __u32); /* pid; of a fault with KILL_OF_FAULT */
	__type(value, struct failure_kill);
} kills SEC(".maps");

/* A program may catch its own faults and go on: a JVM makes some at each safepoint, also after a
 * signal that it is about to answer. They do not replace what was sent. */
#define KILL_OF_FAULT (1u << 31)
/* SIGILL SIGTRAP SIGBUS SIGFPE SIGSEGV SIGSYS */
#define KILL_FAULTS (1ULL << 4 | 1ULL << 5 | 1ULL << 7 | 1ULL << 8 | 1ULL << 11 | 1ULL << 31)

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

static __always_inline __u32 kill_key(const struct failure_kill *kill, __u32 pid)
{
	return kill->code > 0 && kill->signal < 32 && KILL_FAULTS >> kill->signal & 1
		       ? pid | KILL_OF_FAULT
		       : pid;
}

static __always_inline bool kill_holds(const struct failure_kill *kill, __u32 pid, __u32 key)
{
	const struct failure_kill *held = bpf_map_lookup_elem(&kills, &key);

	return held && held->start_ns == kill->start_ns &&
	       (held->signal == SIGKILL ||
		(held->signal == kill->signal && kill->sender_pid == pid && kill->code <= 0));
}

/* Whether an earlier signal stays: a handler that raises the signal again is not its sender, and
 * nothing follows SIGKILL. */
static __always_inline bool kill_known(const struct failure_kill *kill, __u32 pid)
{
	return kill_holds(kill, pid, pid) || kill_holds(kill, pid, pid | KILL_OF_FAULT);
}

/* By which the process ended: of signals that were sent to it the last one, else its last fault. */
static __always_inline const struct failure_kill *kill_of(__u32 pid, __u64 start_ns, __u32 signal)
{
	__u32 fault = pid | KILL_OF_FAULT;
	const struct failure_kill *held = bpf_map_lookup_elem(&kills, &pid);

	if (held && held->start_ns == start_ns && held->signal == signal)
		return held;
	held = bpf_map_lookup_elem(&kills, &fault);
	return held && held->start_ns == start_ns && held->signal == signal ? held : NULL;
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
