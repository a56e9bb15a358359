#pragma once
/* Programs that the agent runs by itself: samples, the scan at start, the clock. Included by
 * process.bpf.c only. */

static __always_inline void alive_identity(struct process_alive_record *record,
					   struct task_struct *leader)
{
	struct task_struct *parent = leader->real_parent;

	record->pid = leader->tgid;
	record->start_ns = leader->start_boottime;
	record->parent_pid = parent->tgid;
	record->parent_start_ns = parent->group_leader->start_boottime;
	record->image_seq = leader->self_exec_id;
	record->uid = leader->real_cred->uid.val;
	record->cgroup_id = cgroup_id_of(leader);
	record->pid_ns = pid_ns_of(leader);
	record->mnt_ns = BPF_CORE_READ(leader, nsproxy, mnt_ns, ns.inum);
}

static __always_inline void alive_memory(struct process_consumed *consumed,
					 const struct process_state *state,
					 struct task_struct *task)
{
	struct mm_struct *mm = task->mm;

	consumed_peak(consumed, state, task->signal, mm);
	if (mm && !(state->flags & PROCESS_MM_SHARED))
		consumed->rss_pages = resident_pages(mm);
}

static __always_inline void alive_figures(struct process_alive_record *record,
					  struct process_state *state, struct task_struct *task)
{
	struct process_counts total = state->dead;
	struct process_counts own;

	if (!(task->flags & PF_EXITING)) {
		counts_of_thread(&own, task);
		counts_add(&total, &own);
	}
	consumed_of(&record->consumed, state, &total);
	alive_memory(&record->consumed, state, task);
	record->alone = state->threads <= 1;
	record->found = state->flags & PROCESS_FOUND;
}

/* One record a thread of a tracked process; the leader's bears all but the other threads' own
 * counts. Threads about to end are left to their exit. */
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
	record.leader = task->pid == task->tgid;
	if (record.leader) {
		alive_identity(&record, task);
		alive_figures(&record, state, task);
	} else {
		if (task->flags & PF_EXITING)
			return 0;
		record.pid = task->tgid;
		counts_of_thread(&record.consumed.counts, task);
		if (state->flags & PROCESS_LEADER_GONE)
			alive_memory(&record.consumed, state, task);
	}
	bpf_seq_write(ctx->meta->seq, &record, sizeof(record));
	return 0;
}

__u64 scan_marked; /* by the passes since it was last set to 0 */

/* One pass: begins tracking what user space found by name, and each process whose parent is
 * tracked. Repeated until a pass marks none: a process forked meanwhile either is marked by the
 * fork itself, or has a parent that a pass marked before it. */
SEC("iter/task")
int scan(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task, *parent;
	struct process_state *state;
	__u64 *start_ns;
	__u32 tgid;

	if (!task || task->pid != task->tgid || !task->mm)
		return 0;
	if (state_of(task))
		return 0;
	tgid = task->tgid;
	start_ns = bpf_map_lookup_elem(&roots, &tgid);
	if (!start_ns || *start_ns != task->start_boottime) {
		parent = task->real_parent;
		if (!parent || !state_of(parent->group_leader))
			return 0;
	}
	state = state_new(task);
	if (!state)
		return 0;
	state_refresh(state, task);
	scan_marked++;
	return 0;
}

/* A process was reported. */
SEC("iter/task")
int scan_done(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_state *state;

	if (!task || task->pid != task->tgid)
		return 0;
	state = bpf_task_storage_get(&processes, task, NULL, 0);
	if (state)
		__sync_fetch_and_and(&state->flags, ~PROCESS_FOUND);
	return 0;
}

/* Identity of everything that runs, for the search by name. */
SEC("iter/task")
int list(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct process_alive_record record = {};

	if (!task || task->pid != task->tgid || !task->mm)
		return 0;
	record.leader = true;
	alive_identity(&record, task);
	bpf_seq_write(ctx->meta->seq, &record, sizeof(record));
	return 0;
}

/* How far rq->clock is behind the boot-time clock. Just after sched_yield(), which brings rq->clock
 * up to date; of several tries the smallest is nearest. */
SEC("syscall")
int measure_clock(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (bpf_core_field_exists(task->se.cfs_rq)) {
		__u64 clock = task->se.cfs_rq->rq->clock;

		clock_offset_seen_ns = bpf_ktime_get_boot_ns() - clock;
	}
	return 0;
}

/* A per-cpu variable of our own: where its parts stand, less where the kernel says it stands, is
 * where each CPU's part of any per-cpu variable stands. Needs no symbol of the kernel. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} part SEC(".maps");

__u32 part_id; /* the map's id */

SEC("iter/bpf_map")
int measure_cpus(struct bpf_iter__bpf_map *ctx)
{
	struct bpf_map *map = ctx->map;
	__u64 base = 0;
	__u32 key = 0;

	if (!map || map->id != part_id)
		return 0;
	bpf_probe_read_kernel(&base, sizeof(base),
			      (void *)map + bpf_core_field_offset(struct bpf_array, pptrs));
	for (__u32 cpu = 0; cpu < PROCESS_CPUS_MAX; cpu++) {
		if (cpu >= cpu_count)
			break;
		*(volatile __u64 *)&cpu_offset[cpu] =
			(__u64)bpf_map_lookup_percpu_elem(&part, &key, cpu);
		*(volatile __u64 *)&cpu_offset[cpu] -= base;
	}
	return 0;
}
