/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/process.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/counts.bpf.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/memory.bpf.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/resident_pages.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/wait/so_far.bpf.h"
#include "probe/bpf/wait/wall_image.bpf.h"

/* All live tracked processes, read once a second. */

struct process_alive_record
	alive; /* not on the stack, which is too small; one iterator runs at a time */

static __always_inline void alive_head(struct process_alive_record *record,
				       struct task_struct *leader)
{
	record->head.pid = leader->tgid;
	record->head.start_ns = leader->start_boottime;
	record->head.image_seq = leader->self_exec_id;
	record->head.cgroup_id = cgroup_id_of(leader);
	record->head.uid = leader->real_cred->uid.val;
}

/* Not read each second, since its memory is in no cache by then. */
static __always_inline void alive_spaces(struct process_alive_record *record,
					 struct task_struct *leader)
{
	record->pid_ns = pid_ns_of(leader);
	record->mnt_ns = leader->nsproxy->mnt_ns->ns.inum;
}

/* Once the leader has ended, its other threads report the memory. */
static __always_inline void alive_memory(struct process_consumed *consumed,
					 const struct process_state *state,
					 struct task_struct *task)
{
	struct mm_struct *mm = task->mm;

	consumed_peak(consumed, state, task, mm);
	if (mm && !(state->flags & PROCESS_MM_SHARED))
		pages_of(consumed->pages, mm, task);
}

/* Adds the values of the process to the record of its leader. */
static __always_inline void alive_process(struct process_alive_record *record,
					  const struct process_state *state,
					  struct task_struct *task)
{
	struct process_consumed *consumed = &record->consumed;

	alive_head(record, task);
	record->birth.origin = state->origin;
	record->birth.fork_pending = false;
	record->birth.unused = 0;
	record->alone = state->threads <= 1;
	record->found = state->flags & PROCESS_FOUND;
	if (record->found)
		alive_spaces(record, task);
	woken_of(consumed, state);
	counts_add(&consumed->counts, &state->dead);
	barrier(); /* otherwise the compiler keeps all counts on the stack */
	consumed_of(consumed, state, &consumed->counts);
	wall_take(consumed, state, task->tgid, false, bpf_ktime_get_boot_ns());
}

/* Writes one record for each thread of a tracked process. Threads that are ending are counted at
 * their exit. */
SEC("iter/task")
int sample(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task, *leader;
	struct process_alive_record *record = &alive;
	struct process_state *state;

	if (!task)
		return 0;
	task = task_rdonly(task);
	leader = task->group_leader;
	state = state_of(leader);
	if (!state || state->flags & PROCESS_ENDED)
		return 0;
	__builtin_memset(record, 0, sizeof(*record));
	record->leader = task->pid == task->tgid;
	if (!(task->flags & PF_EXITING)) {
		counts_of_thread(&record->consumed.counts, task);
		times_so_far(&record->consumed.counts, task, bpf_ktime_get_boot_ns());
	} else if (!record->leader)
		return 0;
	if (state->flags & PROCESS_FORK_PENDING)
		send_fork(state, leader);
	if (record->leader)
		alive_process(record, state, task);
	else
		record->head.pid = task->tgid;
	if (record->leader || leader->flags & PF_EXITING)
		alive_memory(&record->consumed, state, task);
	bpf_seq_write(ctx->meta->seq, record, sizeof(*record));
	return 0;
}
