/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/counts.bpf.h"
#include "probe/bpf/net/network.bpf.h"

/* The state of a tracked process. */

const volatile __u32 session; /* a random number of this agent */

struct process_losses losses;

__u64 execs_failed; /* by tracked processes */

__u32 syscall_tracepoints; /* enum syscall_tracepoints_state */

/* No agent ran for a while, or never before: the kernel's counts replace what was missed. An image
 * with an unseen exec has no base. */
static __always_inline void state_refresh(struct process_state *state, struct task_struct *leader)
{
	counts_of_released(&state->dead, leader->signal);
	state->files = state->ios = 0; /* their entries were of the former agent */
	state->io_count = 0;
	__builtin_memset(state->held, 0, sizeof(state->held));
	if (state->session == 0 || state->image_seq != leader->self_exec_id) {
		__builtin_memset(&state->base, 0, sizeof(state->base));
		state->base_maxrss = ~0U;
		state->peak_pages = 0;
		state->image_seq = leader->self_exec_id;
		state->flags |= PROCESS_BASE_UNKNOWN;
	}
	state->threads = leader->signal->live.counter;
	if ((__s32)state->threads_peak < state->threads)
		state->threads_peak = state->threads;
	state->flags = (state->flags | PROCESS_FOUND | PROCESS_TIMES_MISSED) &
		       ~(PROCESS_FORK_PENDING | PROCESS_WALL_MISSED);
	state->session = session;
}

static __always_inline void state_begin_image(struct process_state *state, __u64 image_seq)
{
	state->session = session;
	state->image_seq = image_seq;
	state->flags &= PROCESS_SIGNALLED;
	state->threads = 1;
	state->threads_peak = 1;
	state->flows = 0;
	__builtin_memset(state->woken_ns, 0, sizeof(state->woken_ns));
	state->peak_pages = 0;
}

/* Read before the counts, of which they are a part. */
static __always_inline void woken_of(struct process_consumed *ret,
				     const struct process_state *state)
{
	__builtin_memcpy(ret->woken_ns, state->woken_ns, sizeof(ret->woken_ns));
}

static __always_inline void consumed_of(struct process_consumed *ret,
					const struct process_state *state,
					const struct process_counts *total)
{
	counts_since(&ret->counts, total, &state->base);
	__builtin_memset(ret->pages, 0, sizeof(ret->pages));
	ret->threads = state->threads > 0 ? state->threads : 0;
	ret->threads_peak = state->threads_peak;
	ret->base_known = !(state->flags & PROCESS_BASE_UNKNOWN);
	network_sums_of(&ret->network, state);
	ret->files_opened = state->files_opened;
	ret->files_failed = state->files_failed;
}

/* Marks the process as ended; true for the first caller. */
static __always_inline bool end_once(struct process_state *state)
{
	if (__sync_fetch_and_or(&state->flags, PROCESS_ENDED) & PROCESS_ENDED)
		return false;
	state->threads = 0;
	state->sent_cpu_ns = state->dead.cpu_ns;
	return true;
}
