/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* Programs that are never tracked, and what they start. Part of process.bpf.c. */

/* Processes that run such a program, or descend from one that does; until they run one whose name
 * begins tracking. What finds no room is as if nothing were excluded. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, PROCESS_EXCLUDED_MAX);
	__type(key, __u32);
	__type(value, __u64); /* start_boottime */
} excluded SEC(".maps");

__s64 excluded_count; /* mostly 0: then nobody need look */
__u32 names_excluded; /* how many of the names are */

static __always_inline bool is_excluded(struct task_struct *leader)
{
	__u32 pid = leader->tgid;
	const __u64 *start_ns;

	if (!excluded_count)
		return false;
	start_ns = bpf_map_lookup_elem(&excluded, &pid);
	return start_ns && *start_ns == leader->start_boottime;
}

static __always_inline void exclude(struct task_struct *leader)
{
	__u32 pid = leader->tgid;
	__u64 start_ns = leader->start_boottime;

	if (!is_excluded(leader) && !bpf_map_update_elem(&excluded, &pid, &start_ns, BPF_NOEXIST))
		__sync_fetch_and_add(&excluded_count, 1);
}

/* It ends, or runs what is not excluded. */
static __always_inline void exclude_no_more(struct task_struct *leader)
{
	__u32 pid = leader->tgid;

	if (is_excluded(leader) && !bpf_map_delete_elem(&excluded, &pid))
		__sync_fetch_and_sub(&excluded_count, 1);
}

/* Its image ends as by any exec, and nothing follows. Of a fork that nothing told of yet, nothing
 * is. The figures of threads that ended are in `dead` already. */
static __always_inline void tracking_ends(struct process_state *state, struct task_struct *task,
					  int old_pid)
{
	__u64 now_ns = bpf_ktime_get_boot_ns(), start_ns;
	struct process_counts own;
	__u32 flows;

	counts_of_thread(&own, task);
	times_take(&own, state, task, old_pid, now_ns);
	counts_add(&state->dead, &own);
	if (old_pid != task->pid)
		waiter_end(old_pid);
	waiter_end(task->pid);
	files_tell(state, true);
	ios_tell(state, true);
	if (syscalls_counted) {
		syscall_cut(state);
		syscalls_send(state, true);
	}
	if (!(state->flags & PROCESS_UNBORN)) {
		network_tell(task, state, false);
		send_exit(PROCESS_LEFT, task, state, NULL, now_ns);
	}
	failure_forget(state);
	flows = state->flows;
	start_ns = state->start_ns;
	state_drop(state);
	if (flows)
		network_drop(task->tgid, start_ns);
}

/* Before on_exec, which then finds nothing that it should track. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec_excluded, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct process_state *state;
	__u32 mark;

	if (!names_excluded && !excluded_count)
		return 0;
	task = plain(task);
	mark = mark_of(bprm);
	if (mark == NAME_TRACKED)
		exclude_no_more(task);
	if (mark != NAME_EXCLUDED)
		return 0;
	exclude(task);
	state = state_of(task);
	if (state)
		tracking_ends(state, task, old_pid);
	return 0;
}
