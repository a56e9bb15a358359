/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/exclude.bpf.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/scan_root.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/wait/switch.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"

/* Processes that ran before the programs were attached. */

__u64 scan_marked; /* by the passes since the agent set it to 0 */

const volatile int agent_pid; /* never marked, whatever started the agent */

/* One pass, before those of scan: marks the excluded processes, by name or by parent. */
SEC("iter/task")
int scan_excluded(struct bpf_iter__task *ctx)
{
	struct task_struct *task = process_of(ctx->task), *parent;
	__u64 root;

	if (!task || state_of(task) || is_excluded(task))
		return 0;
	root = root_of(task);
	parent = task->real_parent;
	if (root & ROOT_NAMED ||
	    (!(root & ROOT_EXCLUDED) && !(parent && is_excluded(parent->group_leader))))
		return 0;
	exclude(task);
	if (is_excluded(task))
		__sync_fetch_and_add(&scan_marked, 1);
	return 0;
}

/* One pass: begins tracking the roots, and each process with a tracked parent. Repeated until a
 * pass marks none: a process forked meanwhile is marked by its fork, or a pass marked its parent
 * before. */
SEC("iter/task")
int scan(struct bpf_iter__task *ctx)
{
	struct task_struct *task = process_of(ctx->task), *parent;
	struct process_state *state;

	if (!task || task->tgid == agent_pid || state_of(task) || is_excluded(task))
		return 0;
	if (!root_of(task)) {
		parent = task->real_parent;
		if (!parent || !state_of(parent->group_leader))
			return 0;
	}
	state = state_new(task);
	if (!state)
		return 0;
	origin_of(&state->origin, task);
	state_refresh(state, task);
	__sync_fetch_and_add(&scan_marked, 1);
	return 0;
}

/* Runs once everything found has been reported. From now on the waits of its threads are counted.
 */
SEC("iter/task")
int scan_done(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_state *state;

	if (!task)
		return 0;
	state = state_of(task_rdonly(task)->group_leader);
	if (!state)
		return 0;
	if (!waiter_of(task->pid) && !(task->flags & PF_EXITING) &&
	    !waiter_found(task, state->threads > 1, bpf_ktime_get_boot_ns()))
		wall_missed(state);
	if (task->pid == task->tgid)
		__sync_fetch_and_and(&state->flags, ~PROCESS_FOUND);
	return 0;
}
