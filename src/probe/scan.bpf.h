#pragma once
/* What ran before the programs did. Part of process.bpf.c. */

/* Process ids that the agent found by name: the passes begin with them. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u64); /* start_boottime */
} roots SEC(".maps");

__u64 scan_marked; /* by the passes since it was last set to 0 */

/* The leader of a process of user space of which a thread is alive. */
static __always_inline bool is_process(struct task_struct *task)
{
	return task && task->pid == task->tgid && !(task->flags & PF_KTHREAD) &&
	       task->signal->live.counter > 0;
}

/* Identity of everything that runs, for the search by name. */
SEC("iter/task")
int list(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_alive_record record = {};

	if (!is_process(task))
		return 0;
	record.leader = true;
	alive_identity(&record, task);
	bpf_seq_write(ctx->meta->seq, &record, sizeof(record));
	return 0;
}

/* One pass: begins tracking what was found by name, and each process whose parent is tracked.
 * Repeated until a pass marks none: a process forked meanwhile either is marked by the fork itself,
 * or has a parent that a pass marked before it. */
SEC("iter/task")
int scan(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task, *parent;
	struct process_state *state;
	__u64 *start_ns;
	__u32 pid;

	if (!is_process(task) || state_of(task))
		return 0;
	pid = task->tgid;
	start_ns = bpf_map_lookup_elem(&roots, &pid);
	if (!start_ns || *start_ns != task->start_boottime) {
		parent = task->real_parent;
		if (!parent || !state_of(parent->group_leader))
			return 0;
	}
	state = state_new(task);
	if (!state)
		return 0;
	birth_of(&state->birth, task);
	state_refresh(state, task);
	__sync_fetch_and_add(&scan_marked, 1);
	return 0;
}

/* All that was found has been reported. */
SEC("iter/task")
int scan_done(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_state *state;

	if (!task || task->pid != task->tgid)
		return 0;
	state = state_of(task);
	if (state)
		__sync_fetch_and_and(&state->flags, ~PROCESS_FOUND);
	return 0;
}
