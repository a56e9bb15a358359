#pragma once
/* All live tracked processes, read once a second. Part of process.bpf.c. */

static __always_inline void alive_identity(struct process_alive_record *record,
					   struct task_struct *leader)
{
	head_of(&record->head, 0, leader, 0, leader->self_exec_id);
	birth_of(&record->birth, leader);
	record->pid_ns = pid_ns_of(leader);
	record->mnt_ns = BPF_CORE_READ(leader, nsproxy, mnt_ns, ns.inum);
}

static __always_inline void alive_memory(struct process_consumed *consumed,
					 const struct process_state *state,
					 struct task_struct *task)
{
	struct mm_struct *mm = task->mm;

	consumed_peak(consumed, state, task, mm);
	if (mm && !(state->flags & PROCESS_MM_SHARED))
		consumed->rss_pages = resident_pages(mm, task);
}

static __always_inline void alive_leader(struct process_alive_record *record,
					 struct process_state *state, struct task_struct *task)
{
	struct process_counts total;

	alive_identity(record, task);
	record->birth = state->birth;
	record->alone = state->threads <= 1;
	record->found = state->flags & PROCESS_FOUND;
	total = state->dead;
	if (!(task->flags & PF_EXITING)) {
		counts_of_thread(&record->consumed.counts, task);
		counts_add(&total, &record->consumed.counts);
	}
	consumed_of(&record->consumed, state, &total);
	alive_memory(&record->consumed, state, task);
}

/* One record a thread of a tracked process; the leader's bears all but the other threads' own
 * counts; the memory, once it has gone, is theirs to tell. Threads about to end are left to their
 * exit. */
SEC("iter/task")
int sample(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_alive_record record = {};
	struct process_state *state;

	if (!task)
		return 0;
	state = state_of(task->group_leader);
	if (!state || state->flags & PROCESS_ENDED)
		return 0;
	if (state->flags & PROCESS_UNBORN)
		send_fork(state, task->group_leader);
	record.leader = task->pid == task->tgid;
	if (record.leader) {
		alive_leader(&record, state, task);
	} else {
		if (task->flags & PF_EXITING)
			return 0;
		record.head.pid = task->tgid;
		counts_of_thread(&record.consumed.counts, task);
		if (task->group_leader->flags & PF_EXITING)
			alive_memory(&record.consumed, state, task);
	}
	bpf_seq_write(ctx->meta->seq, &record, sizeof(record));
	return 0;
}
