/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/polled.bpf.h"

/*
 * What woke a polling thread, found when it comes back on a CPU: by the ready list of an epoll; by
 * which files of a poll can be read; by what it waited for, if that was one kind; and by an expired
 * timeout, once the wait is added up. If none of this is certain, it is unknown.
 */

/* Whether the timeout expired. It starts with the call, shortly before the thread leaves its CPU,
 * or long before if the thread was preempted in between. If only observed files could have ended
 * the wait, an eighth of the timeout is tolerated. wait_ns: without the time that the thread was
 * ready before it ran. */
static __always_inline bool is_over(const struct waiter *waiter, __u64 wait_ns)
{
	__u64 limit_ns = waiter->limit_ns;
	__u64 early_ns = waiter->polls & WAIT_FOR_OTHER ? limit_ns / 64 : limit_ns / 8;

	return waiter->limited && wait_ns + early_ns >= limit_ns;
}

static __always_inline bool is_signalled(struct task_struct *task)
{
	__u64 pending = BPF_CORE_READ(task, pending.signal.sig[0]) |
			BPF_CORE_READ(task, signal, shared_pending.signal.sig[0]);

	return pending & ~BPF_CORE_READ(task, blocked.sig[0]);
}

/* The kind of the first file known to be ready; 0: none is. A poll for a single kind without a
 * timeout needs no proof. */
static __always_inline int poll_proven(const struct waiter *waiter, __u64 task)
{
	__u32 all = waiter->polls;
	int kind = 0;

	if (all & WAIT_FOR_EPOLL)
		return polled_by_epoll(task, waiter->files[0]);
	if (!(all & (all - 1)) && all != WAIT_FOR_OTHER && !waiter->limit_ns)
		return 0;
	for (__u32 i = 0; i < WAIT_FILES && !kind; i++)
		if (waiter->files[i] != NO_FILE)
			kind = polled_ready(task, waiter->files[i]);
	return kind;
}

/* Several kinds, and the unknown kind of an epoll, are WAIT_WOKE_UNKNOWN. */
static __always_inline int woke_of(__u32 kind)
{
	switch (kind) {
	case WAIT_FOR_NETWORK:
		return WAIT_WOKE_NETWORK;
	case WAIT_FOR_PIPE:
		return WAIT_WOKE_PIPE;
	case WAIT_FOR_TIMER:
		return WAIT_WOKE_TIMER;
	}
	return WAIT_WOKE_UNKNOWN;
}

/* Returns enum wait_woke; waiter->limited stays set if the timeout may have ended the wait.
 * address: of the thread, which does not run yet. */
__noinline int poll_woke(struct waiter *waiter, __u64 address)
{
	__u32 kind;

	if (!waiter || !waiter->polls)
		return WAIT_WOKE_UNKNOWN;
	kind = poll_proven(waiter, address);
	if (kind)
		waiter->limited = 0;
	else if (!is_signalled((void *)address))
		kind = waiter->polls;
	return woke_of(kind);
}
