/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel side: one BPF object, of which this is the only translation unit. It includes every
 * header of src/probe/bpf, in any order, since most of them define programs; the programs below
 * follow the life of a process (fork, exec, exit, free).
 */
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/process.h"
#include "probe/bpf/cgroup/cgroup.bpf.h"
#include "probe/bpf/cgroup/cgroup_mark.bpf.h"
#include "probe/bpf/core/clock.bpf.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/counts.bpf.h"
#include "probe/bpf/core/cpu.bpf.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/exclude.bpf.h"
#include "probe/bpf/core/exec_excluded.bpf.h"
#include "probe/bpf/core/identity.bpf.h"
#include "probe/bpf/core/image_record.bpf.h"
#include "probe/bpf/core/loop.bpf.h"
#include "probe/bpf/core/measure.bpf.h"
#include "probe/bpf/core/memory.bpf.h"
#include "probe/bpf/core/names.bpf.h"
#include "probe/bpf/core/path.bpf.h"
#include "probe/bpf/core/path_walk.bpf.h"
#include "probe/bpf/core/peak.bpf.h"
#include "probe/bpf/core/record.bpf.h"
#include "probe/bpf/core/resident_pages.bpf.h"
#include "probe/bpf/core/ring.bpf.h"
#include "probe/bpf/core/sample.bpf.h"
#include "probe/bpf/core/sample_uses.bpf.h"
#include "probe/bpf/core/scan.bpf.h"
#include "probe/bpf/core/scan_root.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/failure/attempt.bpf.h"
#include "probe/bpf/failure/failure.bpf.h"
#include "probe/bpf/failure/kill.bpf.h"
#include "probe/bpf/failure/limit.bpf.h"
#include "probe/bpf/failure/open.bpf.h"
#include "probe/bpf/failure/open_send.bpf.h"
#include "probe/bpf/file/file.bpf.h"
#include "probe/bpf/file/file_close.bpf.h"
#include "probe/bpf/file/file_emit.bpf.h"
#include "probe/bpf/file/file_entry.bpf.h"
#include "probe/bpf/file/file_fail.bpf.h"
#include "probe/bpf/file/file_fail_fd.bpf.h"
#include "probe/bpf/file/file_held.bpf.h"
#include "probe/bpf/file/file_kind.bpf.h"
#include "probe/bpf/file/file_make.bpf.h"
#include "probe/bpf/file/file_emit_path.bpf.h"
#include "probe/bpf/file/file_open.bpf.h"
#include "probe/bpf/file/file_still_open.bpf.h"
#include "probe/bpf/file/file_use.bpf.h"
#include "probe/bpf/file/file_walk.bpf.h"
#include "probe/bpf/file/folder.bpf.h"
#include "probe/bpf/file/pipe.bpf.h"
#include "probe/bpf/io/io.bpf.h"
#include "probe/bpf/io/io_begin.bpf.h"
#include "probe/bpf/io/io_emit.bpf.h"
#include "probe/bpf/io/io_end.bpf.h"
#include "probe/bpf/io/io_entry.bpf.h"
#include "probe/bpf/io/io_request.bpf.h"
#include "probe/bpf/net/address.bpf.h"
#include "probe/bpf/net/connect.bpf.h"
#include "probe/bpf/net/connect_call.bpf.h"
#include "probe/bpf/net/connect_table.bpf.h"
#include "probe/bpf/net/connection.bpf.h"
#include "probe/bpf/net/datagram.bpf.h"
#include "probe/bpf/net/network.bpf.h"
#include "probe/bpf/net/network_record.bpf.h"
#include "probe/bpf/net/resend.bpf.h"
#include "probe/bpf/net/reset.bpf.h"
#include "probe/bpf/net/socket.bpf.h"
#include "probe/bpf/net/socket_calls.bpf.h"
#include "probe/bpf/net/socket_owner.bpf.h"
#include "probe/bpf/net/socket_probes.bpf.h"
#include "probe/bpf/net/traffic.bpf.h"
#include "probe/bpf/syscall/syscall.bpf.h"
#include "probe/bpf/syscall/syscall_call.bpf.h"
#include "probe/bpf/syscall/syscall_emit.bpf.h"
#include "probe/bpf/wait/arrival.bpf.h"
#include "probe/bpf/wait/inode.bpf.h"
#include "probe/bpf/wait/poll.bpf.h"
#include "probe/bpf/wait/poll_woke.bpf.h"
#include "probe/bpf/wait/polled.bpf.h"
#include "probe/bpf/wait/reclaim.bpf.h"
#include "probe/bpf/wait/so_far.bpf.h"
#include "probe/bpf/wait/steal_time.bpf.h"
#include "probe/bpf/wait/switch.bpf.h"
#include "probe/bpf/wait/timeout.bpf.h"
#include "probe/bpf/wait/wait.bpf.h"
#include "probe/bpf/wait/wait_end.bpf.h"
#include "probe/bpf/wait/wait_file.bpf.h"
#include "probe/bpf/wait/wait_kind.bpf.h"
#include "probe/bpf/wait/wait_limit.bpf.h"
#include "probe/bpf/wait/waiter.bpf.h"
#include "probe/bpf/wait/waking.bpf.h"
#include "probe/bpf/wait/wall.bpf.h"
#include "probe/bpf/wait/wall_change.bpf.h"
#include "probe/bpf/wait/wall_gap.bpf.h"
#include "probe/bpf/wait/wall_held.bpf.h"
#include "probe/bpf/wait/wall_image.bpf.h"
#include "probe/bpf/wait/wall_new.bpf.h"
#include "probe/bpf/wait/wall_switch.bpf.h"
#include "probe/bpf/wait/wall_thread.bpf.h"
#include "probe/bpf/wait/wall_unseen.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile bool track_all; /* every exec begins tracking */

static __always_inline void thread_begins(struct process_state *state)
{
	__s32 threads = __sync_fetch_and_add(&state->threads, 1) + 1;

	if ((__s32)state->threads_peak < threads)
		state->threads_peak = threads;
}

/* Runs before the child's first instruction. The fork of the parent is sent before that of its
 * child. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	struct process_state *state, *made;
	struct waiter *waiter;
	__u64 now_ns;

	parent = task_rdonly(parent);
	child = task_rdonly(child);
	state = state_of(parent->group_leader);
	if (!state) {
		if (is_excluded(parent->group_leader) && child->tgid != parent->tgid)
			exclude(child);
		return 0;
	}
	now_ns = bpf_ktime_get_boot_ns();
	waiter = waiter_begin(child->pid, now_ns);
	if (child->tgid == parent->tgid) {
		wall_thread_begins(state, parent, waiter, now_ns);
		thread_begins(state);
		return 0;
	}
	if (state->flags & PROCESS_FORK_PENDING)
		send_fork(state, parent->group_leader);
	made = state_new(child);
	if (!made) {
		waiter_end(child->pid);
		return 0;
	}
	state_begin_image(made, child->self_exec_id);
	origin_of(&made->origin, child);
	made->origin.at_ns = now_ns;
	made->cwd = state->cwd;
	if ((int)made->origin.parent_pid ==
	    parent->tgid) /* else CLONE_PARENT: a sibling of the child forked it */
		made->origin.parent_tid = parent->pid;
	made->flags = child->mm == parent->mm ? PROCESS_FORK_PENDING | PROCESS_MM_SHARED
					      : PROCESS_FORK_PENDING;
	return 0;
}

/* Begins tracking at an exec. NULL: the process is not to be tracked, or there is no room. */
static __always_inline struct process_state *
state_from_exec(struct task_struct *task, struct linux_binprm *bprm, __u64 now_ns)
{
	struct process_state *state;

	if (is_excluded(task))
		return NULL;
	if (!track_all && mark_of(bprm) != NAME_TRACKED && !cgroup_is_followed(task))
		return NULL;
	state = state_new(task);
	if (!state)
		return NULL;
	if (now_ns - root_wake_ns >= ROOT_WAKE_NS)
		root_wake_ns = now_ns;
	origin_of(&state->origin, task);
	waiter_rename(task, task->pid, now_ns);
	return state;
}

/* All other threads have ended (de_thread waited for them), and their counts are in `dead`. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct process_state *state;
	struct process_counts total;
	struct scratch *scratch;
	__u64 now_ns = bpf_ktime_get_boot_ns(), maxrss;
	bool forked;

	task = task_rdonly(task);
	state = state_of(task);
	if (!state)
		state = state_from_exec(task, bprm, now_ns);
	if (!state)
		return 0;
	counts_of_thread(&total, task);
	times_take(&total, state, task, old_pid, now_ns);
	if (old_pid != task->pid)
		waiter_rename(task, old_pid, now_ns);
	counts_add(&total, &state->dead);
	forked = state->flags & PROCESS_FORK_PENDING;
	if (!forked) /* a fork that execs: its files since the fork count for the new image */
		files_emit(state, true);
	if (syscalls_counted)
		syscall_cut(state);
	if (syscalls_counted && !forked) /* as with files */
		syscalls_send(state, true);
	scratch = scratch_take();
	if (scratch)
		image_replaced(&scratch->image, state, task, &total, now_ns);
	else
		__sync_fetch_and_add(&losses.image, 1);
	wall_image_ends(state, task);
	failure_forget_image(state);
	network_emit(task, state, true);
	if (!forked) /* else the requests read the new program */
		io_emit(task, state, true);
	state_begin_image(state, task->self_exec_id);
	if (!forked)
		state->files_opened = state->files_failed = 0;
	maxrss = task->signal->maxrss;
	state->base_maxrss = maxrss < ~0U ? maxrss : ~0U;
	counts_begin(&state->dead, &state->base, &total);
	if (scratch) {
		send_image(&scratch->image, task, now_ns);
		scratch->in_use = 0;
	}
	return 0;
}

/* Runs after on_exec (attach_in_order). A program of its own, because older kernels add up the
 * stack of a program and all functions that it calls. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec_files, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct process_state *state = state_of(task);

	if (!state)
		return 0;
	__builtin_memset(state->held, 0, sizeof(state->held));
	state->cwd = (__u64)BPF_CORE_READ(task, fs, pwd.dentry);
	files_walk(state, (__u64)BPF_CORE_READ(task, files), FILE_INHERITED);
	return 0;
}

/* Runs before on_exec (attach_in_order), and is a program of its own for the same reason. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec_connects, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct process_state *state;

	task = task_rdonly(task);
	state = state_of(task);
	if (!state || !(state->flags & PROCESS_CONNECT_FAILED))
		return 0;
	connect_emit(task, state);
	connect_forget(state);
	return 0;
}

/* Runs for each thread. A thread adds its counts to the process before it decrements the number of
 * threads, so that the thread that reaches zero finds the counts of all, in whatever order they
 * end. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct process_state *state;
	struct process_counts own;
	__s32 others = 0;
	__u64 now_ns;

	task = task_rdonly(task);
	state = state_of(task->group_leader);
	if (!state)
		return 0;
	now_ns = bpf_ktime_get_boot_ns();
	counts_of_thread(&own, task);
	times_take(&own, state, task, task->pid, now_ns);
	wall_thread_ends(task, now_ns);
	waiter_end(task->pid);
	if (syscalls_counted)
		syscall_cut(state);
	if (task->flags & (PF_IO_WORKER | PF_USER_WORKER)) {
		counts_add_atomic(&state->dead, &own);
		return 0; /* no fork event counted it */
	}
	if (state->threads <= 1) {
		counts_add(&state->dead, &own);
	} else {
		counts_add_atomic(&state->dead, &own);
		others = __sync_fetch_and_sub(&state->threads, 1) - 1;
	}
	if (others > 0 || !end_once(state))
		return 0;
	failure_emit(task->group_leader, state, now_ns);
	connect_emit(task->group_leader, state);
	files_end(state, task);
	network_emit(task->group_leader, state, false);
	io_emit(task->group_leader, state, true);
	if (syscalls_counted)
		syscalls_emit(task->group_leader, state, true);
	send_exit(PROCESS_EXIT, task, state, task->mm, now_ns);
	return 0;
}

/* Counts after the exit record (since 6.16 it precedes exit_mm) are sent as a record of their own
 * only if they are large enough. */
static __always_inline bool residual_matters(const struct process_state *state, __u64 final_ns)
{
	__u64 more_ns = final_ns > state->sent_cpu_ns ? final_ns - state->sent_cpu_ns : 0;

	return more_ns > 1000000 && more_ns * 100 > final_ns;
}

/* Adds the time that the threads took to end. */
static __always_inline void threads_lived_on(struct process_counts *dead, __u64 final_ns)
{
	if (final_ns > dead->cpu_ns)
		dead->threads_ns += final_ns - dead->cpu_ns;
}

/* Runs when the process is reaped and all its threads are released. It also ends a process with a
 * wrong number of threads, because some began or ended while it was found. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *task)
{
	struct process_state *state;
	__u32 kind = PROCESS_RESIDUAL, pid = task->pid, flows;
	__u64 start_ns;
	bool late;

	if (task->pid != task->tgid)
		return 0;
	task = task_rdonly(task);
	state = state_of(task);
	if (!state) {
		exclude_no_more(task);
		return 0;
	}
	start_ns = state->start_ns;
	flows = state->flows;
	if (end_once(state)) {
		kind = PROCESS_EXIT;
		failure_emit(task, state, bpf_ktime_get_boot_ns());
	}
	connect_emit(task, state);
	files_emit(state, true); /* files used while it ended */
	io_emit(task, state, true);
	if (syscalls_counted)
		syscalls_send(state, true);
	late = flows && network_changed(pid, start_ns, flows);
	if (late)
		network_emit(task, state, false);
	if (kind == PROCESS_EXIT || late ||
	    residual_matters(state, task->signal->sum_sched_runtime)) {
		threads_lived_on(&state->dead, task->signal->sum_sched_runtime);
		counts_of_released(&state->dead, task->signal);
		send_exit(kind, task, state, NULL, bpf_ktime_get_boot_ns());
	}
	failure_forget(state);
	connect_forget(state);
	wall_drop(state, pid);
	state_drop(state);
	if (flows)
		network_drop(pid, start_ns);
	return 0;
}
