/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/failure.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/table.bpf.h"

/* Of each process the last signal that was sent to it, and beside it its last fault. */

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
