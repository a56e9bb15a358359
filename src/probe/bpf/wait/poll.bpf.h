/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/wait/polled.bpf.h"
#include "probe/bpf/wait/timeout.bpf.h"

/*
 * What a polling thread waits for, read from its own memory when it leaves its CPU.
 */

#define POLLIN 0x1 /* include/uapi/asm-generic/poll.h */

struct pollfd {
	int fd;
	short events, revents;
};

/* Adds the i-th file of a poll. */
__noinline int poll_file(struct waiter *waiter, __u32 i, __u32 fd, __u32 reads)
{
	if (!waiter || i >= WAIT_FILES)
		return 0;
	waiter->polls |= polled_kind(polled_file((__u64)bpf_get_current_task(), fd));
	waiter->files[i] = reads && fd < NO_FILE ? fd : NO_FILE;
	return 0;
}

static __always_inline void poll_set(struct waiter *waiter, const struct pollfd *set, __u64 count)
{
	struct pollfd one;

	if (count > WAIT_FILES)
		waiter->polls |= WAIT_FOR_OTHER;
	for (__u32 i = 0; i < WAIT_FILES && i < count; i++) {
		if (bpf_probe_read_user(&one, sizeof(one), set + i))
			waiter->polls |= WAIT_FOR_OTHER;
		else if (one.fd >= 0) /* negative ones are ignored by the call itself */
			poll_file(waiter, i, one.fd, one.events & POLLIN);
	}
}

/* 0 and WAIT_FOR_OTHER if the set cannot be read. */
static __always_inline __u64 select_bits(struct waiter *waiter, __u64 at, __u32 count)
{
	__u64 bits = 0;

	if (at && bpf_probe_read_user(&bits, sizeof(bits), (void *)at))
		waiter->polls |= WAIT_FOR_OTHER;
	return count < 64 ? bits & ((1ULL << count) - 1) : bits;
}

static __always_inline void select_set(struct waiter *waiter, struct pt_regs *regs)
{
	__u32 count = PT_FIRST(regs);
	__u64 reads = select_bits(waiter, PT_SECOND(regs), count);
	__u64 all = reads | select_bits(waiter, PT_THIRD(regs), count) |
		    select_bits(waiter, PT_FOURTH(regs), count);

	for (__u32 i = 0; i < WAIT_FILES && all; i++, all &= all - 1)
		poll_file(waiter, i, __builtin_popcountll((all & -all) - 1),
			  (reads & all & -all) != 0);
	if (all || count > 64)
		waiter->polls |= WAIT_FOR_OTHER;
}

/* Called in the system call of the running thread. */
__noinline int poll_begins(struct waiter *waiter, __u32 how)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());

	if (!waiter)
		return 0;
	__builtin_memset(waiter->files, 0xff, sizeof(waiter->files));
	waiter->limit_ns = timeout_of(waiter, regs, how);
	waiter->limited = waiter->limit_ns > 0;
	if (how == WAIT_CALL_EPOLL || how == WAIT_CALL_EPOLL2) {
		waiter->polls |= WAIT_FOR_EPOLL;
		waiter->files[0] = PT_FIRST(regs) < NO_FILE ? PT_FIRST(regs) : NO_FILE;
	} else if (how == WAIT_CALL_POLL || how == WAIT_CALL_PPOLL) {
		poll_set(waiter, (void *)PT_FIRST(regs), PT_SECOND(regs));
	} else {
		select_set(waiter, regs);
	}
	if (!waiter->polls)
		waiter->polls = WAIT_FOR_TIMER; /* only for the timeout */
	return 0;
}
