#pragma once
/* All live tracked processes, read once a second. Part of process.bpf.c. */

/* By reads, not typed loads: each of those costs the verifier 2 ms (6.18), and this is not hot. */
static __always_inline void alive_identity(struct process_alive_record *record,
					   struct task_struct *leader)
{
	struct task_struct *parent = BPF_CORE_READ(leader, real_parent);

	record->head.pid = leader->tgid;
	record->head.start_ns = leader->start_boottime;
	record->head.image_seq = leader->self_exec_id;
	record->head.cgroup_id = cgroup_id_of(leader);
	record->head.uid = BPF_CORE_READ(leader, real_cred, uid.val);
	record->birth.at_ns = leader->start_boottime;
	record->birth.parent_pid = BPF_CORE_READ(parent, tgid);
	record->birth.parent_start_ns = BPF_CORE_READ(parent, group_leader, start_boottime);
	record->pid_ns = pid_ns_of(leader);
	record->mnt_ns = BPF_CORE_READ(leader, nsproxy, mnt_ns, ns.inum);
}

/* The memory, once the leader has gone, is its other threads' to tell. */
static __always_inline void alive_memory(struct process_consumed *consumed,
					 const struct process_state *state,
					 struct task_struct *task)
{
	struct mm_struct *mm = task->mm;

	consumed_peak(consumed, state, task, mm);
	if (mm && !(state->flags & PROCESS_MM_SHARED))
		consumed->rss_pages = resident_pages(mm, task);
}

/* What a leader has besides its own counts is the process's. */
static __always_inline void alive_process(struct process_alive_record *record,
					  const struct process_state *state,
					  struct task_struct *task)
{
	struct process_counts total = record->consumed.counts;

	alive_identity(record, task);
	record->birth = state->birth;
	record->alone = state->threads <= 1;
	record->found = state->flags & PROCESS_FOUND;
	counts_add(&total, &state->dead);
	consumed_of(&record->consumed, state, &total);
}

/* One record a thread of a tracked process. Threads about to end are left to their exit. */
SEC("iter/task")
int sample(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task, *leader;
	struct process_alive_record record = {};
	struct process_state *state;

	if (!task)
		return 0;
	leader = task->group_leader;
	state = state_of(leader);
	if (!state || state->flags & PROCESS_ENDED)
		return 0;
	record.leader = task->pid == task->tgid;
	if (!(task->flags & PF_EXITING))
		counts_of_thread(&record.consumed.counts, task);
	else if (!record.leader)
		return 0;
	if (state->flags & PROCESS_UNBORN)
		send_fork(state, leader);
	if (record.leader)
		alive_process(&record, state, task);
	else
		record.head.pid = task->tgid;
	if (record.leader || leader->flags & PF_EXITING)
		alive_memory(&record.consumed, state, task);
	bpf_seq_write(ctx->meta->seq, &record, sizeof(record));
	return 0;
}
