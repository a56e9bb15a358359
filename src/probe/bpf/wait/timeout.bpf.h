/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"

/* The timeout of a poll, as its system call gives it. */

struct poll_time {
	__s64 seconds, parts; /* struct timespec, struct timeval */
};

static __always_inline __u64 timeout_of_ms(__s32 ms)
{
	return ms > 0 ? ms * 1000000ULL : 0;
}

static __always_inline __u64 timeout_at(struct waiter *waiter, __u64 at, __u32 part_ns)
{
	struct poll_time limit = {};

	if (!at)
		return 0;
	if (bpf_probe_read_user(&limit, sizeof(limit), (void *)at))
		waiter->polls |= WAIT_FOR_OTHER;
	if (limit.seconds < 0 || limit.seconds > 1000000000)
		return 0;
	return limit.seconds * 1000000000 + limit.parts * part_ns;
}

static __always_inline __u64 timeout_of(struct waiter *waiter, struct pt_regs *regs, __u32 how)
{
	switch (how) {
	case WAIT_CALL_POLL:
		return timeout_of_ms(PT_THIRD(regs));
	case WAIT_CALL_EPOLL:
		return timeout_of_ms(PT_FOURTH(regs));
	case WAIT_CALL_PPOLL:
		return timeout_at(waiter, PT_THIRD(regs), 1);
	case WAIT_CALL_EPOLL2:
		return timeout_at(waiter, PT_FOURTH(regs), 1);
	case WAIT_CALL_PSELECT:
		return timeout_at(waiter, PT_FIFTH(regs), 1);
	}
	return timeout_at(waiter, PT_FIFTH(regs), 1000);
}
