/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records each switch, wake-up, fork, exec and exit of the threads of a process tree. It decides
 * nothing. x86-64 only, and system calls of 64 bits.
 */
#include <stdbool.h>
#include <linux/types.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "recorder.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct inode {
	unsigned short i_mode;
};

struct dentry {
	struct inode *d_inode;
};

struct path {
	struct dentry *dentry;
};

struct nameidata {
	struct path path;
};

struct file {
	struct inode *f_inode;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct sched_info {
	unsigned long long last_arrival;
};

struct task_struct {
	int pid, tgid;
	struct sched_info sched_info;
	char comm[16];
	struct files_struct *files;
	struct nameidata *nameidata;
	unsigned in_iowait : 1;
	unsigned in_memstall : 1;
};

struct linux_binprm;

struct pt_regs {
	unsigned long r10, r9, r8, dx, si, di, orig_ax;
};

#pragma clang attribute pop

#define NO_MODE       0xffff
#define RING_BYTES    (64 << 20)
#define PROCESSES_MAX 65536

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_BYTES);
} ring SEC(".maps");

/* Process ids of the tree. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, __u32);
	__type(value, __u8);
} tree SEC(".maps");

__u64 lost;

static __always_inline bool is_of_tree(struct task_struct *task)
{
	__u32 tgid = task->tgid;

	return bpf_map_lookup_elem(&tree, &tgid) != NULL;
}

/* NULL: no room, which is counted. */
static __always_inline struct event *event_begin(struct task_struct *task, __u32 kind,
						 __u64 time_ns)
{
	struct event *event = bpf_ringbuf_reserve(&ring, sizeof(*event), 0);

	if (!event) {
		__sync_fetch_and_add(&lost, 1);
		return NULL;
	}
	__builtin_memset(event, 0, sizeof(*event));
	event->time_ns = time_ns;
	event->arrival_ns = BPF_CORE_READ(task, sched_info.last_arrival);
	event->kind = kind;
	event->tid = task->pid;
	event->tgid = task->tgid;
	bpf_probe_read_kernel(event->comm, sizeof(event->comm), task->comm);
	return event;
}

/* The recorder looks regularly; waking it would disturb what is recorded. */
static __always_inline void event_end(struct event *event)
{
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
}

static __always_inline __u16 mode_of_file(struct task_struct *task, __u64 fd)
{
	struct files_struct *files = BPF_CORE_READ(task, files);
	struct fdtable *table = files ? BPF_CORE_READ(files, fdt) : NULL;
	struct file **all, *file = NULL;

	if (!table || fd >= BPF_CORE_READ(table, max_fds))
		return NO_MODE;
	all = BPF_CORE_READ(table, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), all + fd) || !file)
		return NO_MODE;
	return BPF_CORE_READ(file, f_inode, i_mode);
}

static __always_inline __u16 mode_of_walk(struct task_struct *task)
{
	struct dentry *dentry = BPF_CORE_READ(task, nameidata, path.dentry);
	struct inode *inode = dentry ? BPF_CORE_READ(dentry, d_inode) : NULL;

	return inode ? BPF_CORE_READ(inode, i_mode) : NO_MODE;
}

static __always_inline void set_call(struct event *event, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	event->call = BPF_CORE_READ(regs, orig_ax);
	event->arguments[0] = BPF_CORE_READ(regs, di);
	event->arguments[1] = BPF_CORE_READ(regs, si);
	event->arguments[2] = BPF_CORE_READ(regs, dx);
	event->arguments[3] = BPF_CORE_READ(regs, r10);
	event->arguments[4] = BPF_CORE_READ(regs, r8);
	event->arguments[5] = BPF_CORE_READ(regs, r9);
	for (int i = 0; i < 3; i++)
		event->modes[i] = mode_of_file(task, (__u32)event->arguments[i]);
	event->walked_mode = mode_of_walk(task);
	event->iowait = BPF_CORE_READ_BITFIELD_PROBED(task, in_iowait);
	event->memstall = BPF_CORE_READ_BITFIELD_PROBED(task, in_memstall);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	__u64 now_ns = bpf_ktime_get_boot_ns();
	struct event *event;

	if (is_of_tree(prev)) {
		event = event_begin(prev, EVENT_LEAVE, now_ns);
		if (event) {
			event->state = prev_state;
			event->preempt = preempt;
			set_call(event, prev);
			event_end(event);
		}
	}
	if (is_of_tree(next)) {
		event = event_begin(next, EVENT_COME, now_ns);
		if (event)
			event_end(event);
	}
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	__u64 current = bpf_get_current_pid_tgid();
	struct event *event;

	if (!is_of_tree(task))
		return 0;
	event = event_begin(task, EVENT_WAKING, bpf_ktime_get_boot_ns());
	if (!event)
		return 0;
	event->other_tid = (__u32)current;
	event->other_tgid = current >> 32;
	event_end(event);
	return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 tgid = child->tgid;
	struct event *event;
	__u8 yes = 1;

	if (!is_of_tree(parent))
		return 0;
	if (bpf_map_update_elem(&tree, &tgid, &yes, BPF_ANY))
		__sync_fetch_and_add(&lost, 1);
	event = event_begin(child, EVENT_FORK, bpf_ktime_get_boot_ns());
	if (!event)
		return 0;
	event->other_tid = parent->pid;
	event->other_tgid = parent->tgid;
	event_end(event);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid, struct linux_binprm *program)
{
	struct event *event;

	if (!is_of_tree(task))
		return 0;
	event = event_begin(task, EVENT_EXEC, bpf_ktime_get_boot_ns());
	if (!event)
		return 0;
	event->other_tid = old_pid;
	event_end(event);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct event *event;

	if (!is_of_tree(task))
		return 0;
	event = event_begin(task, EVENT_EXIT, bpf_ktime_get_boot_ns());
	if (event)
		event_end(event);
	return 0;
}
