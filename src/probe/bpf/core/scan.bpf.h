/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* What ran before the programs did. Part of process.bpf.c. */

/* Process ids that the agent found by name: the passes begin with them. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u64); /* start_boottime, ROOT_EXCLUDED, ROOT_NAMED */
} roots SEC(".maps");

__u64 scan_marked; /* by the passes since it was last set to 0 */

const volatile int agent_pid; /* never marked, whatever started it */

/* The leader of a process of user space of which a thread is alive; NULL: it is none. */
static __always_inline struct task_struct *process_of(struct task_struct *task)
{
	if (!task)
		return NULL;
	task = plain(task);
	return task->pid == task->tgid && !(task->flags & PF_KTHREAD) &&
			       task->signal->live.counter > 0
		       ? task
		       : NULL;
}

/* Identity of everything that runs, for the search by name. */
SEC("iter/task")
int list(struct bpf_iter__task *ctx)
{
	struct task_struct *task = process_of(ctx->task);
	struct process_alive_record *record = &alive;

	if (!task)
		return 0;
	__builtin_memset(record, 0, sizeof(*record));
	record->leader = true;
	alive_head(record, task);
	alive_spaces(record, task);
	origin_of(&record->birth.origin, task);
	bpf_seq_write(ctx->meta->seq, record, sizeof(*record));
	return 0;
}

/* What the agent found out of a process; 0: nothing. */
static __always_inline __u64 root_of(struct task_struct *task)
{
	__u32 pid = task->tgid;
	const __u64 *root = bpf_map_lookup_elem(&roots, &pid);

	if (!root || (*root & ~(ROOT_EXCLUDED | ROOT_NAMED)) != task->start_boottime)
		return 0;
	return *root;
}

/* One pass, as below, ahead of those: what is excluded, by its name or its parent. */
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

/* One pass: begins tracking what was found by name, and each process whose parent is tracked.
 * Repeated until a pass marks none: a process forked meanwhile either is marked by the fork itself,
 * or has a parent that a pass marked before it. */
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

/* All that was found has been reported. The threads' waits are told from now on. */
SEC("iter/task")
int scan_done(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_state *state;

	if (!task)
		return 0;
	state = state_of(plain(task)->group_leader);
	if (!state)
		return 0;
	if (!waiter_of(task->pid) && !(task->flags & PF_EXITING))
		waiter_found(task, bpf_ktime_get_boot_ns());
	if (task->pid == task->tgid)
		__sync_fetch_and_and(&state->flags, ~PROCESS_FOUND);
	return 0;
}
