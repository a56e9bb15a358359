/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/types.h>

/*
 * The kernel's types, written by hand: only the fields that the programs read, in any order; the
 * offsets of the running kernel are filled in when a program is loaded (CO-RE). A name followed by
 * three underscores is the form of that type in other kernels. Read from Linux 5.15 to 6.18.
 */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct cred {
	struct {
		unsigned int val;
	} uid;
};

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

struct mnt_namespace {
	struct ns_common ns;
};

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct qstr {
	const unsigned char *name;
};

struct super_block;

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct super_block {
	unsigned int s_dev;
	unsigned long s_magic;
};

struct rb_node;

struct address_space {
	struct {
		struct {
			struct rb_node *rb_node;
		} rb_root;
	} i_mmap;
};

struct pipe_inode_info {
	unsigned int head, tail, writers;
};

struct inode {
	unsigned short i_mode;
	struct pipe_inode_info *i_pipe;
	struct super_block *i_sb;
	struct address_space *i_mapping;
	unsigned long i_ino;
	long long i_size;
	unsigned int i_generation;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	void *private_data;
	unsigned int f_mode, f_flags, f_wb_err;
	long long f_pos;
	struct {
		struct {
			long counter;
		} refcnt;
	} f_ref; /* the number of references less one */
};

struct file___before_6_13 {
	struct {
		long counter;
	} f_count;
};

struct list_head {
	struct list_head *next;
};

/* An epoll and one of its files. */
struct eventpoll {
	struct list_head rdllist;
};

struct epitem {
	struct list_head rdllink;
	struct {
		struct file *file;
	} ffd;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
	unsigned long *open_fds;
};

struct files_struct {
	struct fdtable *fdt;
};

/* The state of a path walk. */
struct nameidata {
	struct path path;
};

struct fs_struct {
	struct path pwd;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup_root {
	int hierarchy_id;
};

enum cgroup_subsys_id { memory_cgrp_id = 4, CGROUP_SUBSYS_COUNT = 12 };

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup {
	struct cgroup_subsys_state self;
	int level;
	struct kernfs_node *kn;
	struct cgroup_root *root;
	struct cgroup_subsys_state *subsys[CGROUP_SUBSYS_COUNT];
};

struct page_counter {
	struct {
		long counter;
	} usage;
	unsigned long max, watermark;
};

struct mem_cgroup {
	struct cgroup_subsys_state css;
	struct page_counter memory, memsw;
};

struct kernel_siginfo {
	int si_code;
	union {
		struct {
			void *_addr;
		} _sigfault;
	} _sifields;
};

struct css_set {
	struct cgroup_subsys_state *subsys[CGROUP_SUBSYS_COUNT];
	struct cgroup *dfl_cgrp;
};

/* 6.2 and later: a sum and its per-cpu parts. */
struct percpu_counter {
	__s64 count;
	__s32 *counters;
};

/* Before 6.2. */
struct mm_rss_stat {
	struct {
		__s64 counter;
	} count[4];
};

struct mm_struct {
	unsigned long hiwater_rss;
	unsigned long arg_start, arg_end;
	struct percpu_counter rss_stat[4];
	struct file *exe_file;
};

struct mm_struct___before_6_2 {
	struct mm_rss_stat rss_stat;
};

struct task_io_accounting {
	__u64 rchar, wchar, read_bytes, write_bytes;
};

struct sigpending {
	struct {
		unsigned long sig[1];
	} signal;
};

struct signal_struct {
	struct sigpending shared_pending;
	struct {
		int counter;
	} live;
	int group_exit_code;
	unsigned int flags;
	__u64 utime, stime;
	unsigned long nvcsw, nivcsw, min_flt, maj_flt, maxrss;
	unsigned long long sum_sched_runtime;
	struct task_io_accounting ioac;
	short oom_score_adj;
};

/* A run queue; exec_start is given by its clock. */
struct rq {
	__u64 clock, clock_task;
	__u64 prev_steal_time_rq, prev_irq_time;
	int cpu;
};

struct kvm_steal_time {
	__u64 steal;
};

struct irqtime {
	__u64 total;
};

struct cfs_rq {
	struct rq *rq;
};

struct sched_entity {
	__u64 exec_start, sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

struct sched_info {
	unsigned long long run_delay, last_arrival, last_queued;
};

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long di, si, dx, r10, r8, orig_ax, ax, cx;
};

struct thread_info {
	unsigned int status;
};
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs {
	__u64 regs[31];
	__u64 orig_x0;
	int syscallno;
};

struct thread_info {
	unsigned long flags;
};
#endif

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags, __state;
	int on_cpu;
	unsigned in_iowait : 1, in_memstall : 1, frozen : 1;
	struct files_struct *files;
	struct sched_entity se;
	struct sched_info sched_info;
	struct mm_struct *mm;
	int exit_state, exit_code;
	int pid, tgid;
	struct task_struct *real_parent, *group_leader;
	struct pid *thread_pid;
	__u64 utime, stime, start_boottime, self_exec_id;
	unsigned long nvcsw, nivcsw, min_flt, maj_flt;
	const struct cred *real_cred;
	struct fs_struct *fs;
	struct nameidata *nameidata; /* NULL: no path walk under way */
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
	struct sigpending pending;
	struct {
		unsigned long sig[1];
	} blocked;
	struct task_io_accounting ioac;
	struct css_set *cgroups;
};

struct task_rss_stat {
	int count[4];
};

struct task_struct___before_6_2 {
	struct task_rss_stat rss_stat;
};

struct linux_binprm {
	const char *filename;
	const char *interp;
};

struct in6_addr {
	union {
		__u32 u6_addr32[4];
	} in6_u;
};

/* Addresses are in network byte order; zero: not connected, not bound. */
struct sock_common {
	__u32 skc_daddr, skc_rcv_saddr;
	unsigned short skc_family, skc_dport; /* the port in network byte order */
	volatile unsigned char skc_state;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
};

struct socket;

struct sock {
	struct socket *sk_socket;
	struct sock_common __sk_common;
	__u16 sk_type, sk_protocol;
	struct {
		__u32 qlen;
	} sk_receive_queue;
	__u8 sk_shutdown;
	int sk_err;
};

struct socket {
	struct file *file;
	struct sock *sk;
};

struct sk_buff;
struct msghdr;
struct page;

struct gendisk {
	int major, first_minor;
	char disk_name[32];
};

struct elevator_queue;

struct request_queue {
	struct gendisk *disk;
	struct elevator_queue *elevator;
};

struct request {
	struct request_queue *q;
	unsigned int cmd_flags, __data_len;
	__u64 start_time_ns;
};

/* As in the kernel's enum bpf_func_id: the number of a helper. */
enum bpf_func_id___has_loop { BPF_FUNC_loop___has_loop = 181 };

struct seq_file;

struct bpf_map {
	__u32 id;
};

struct bpf_array {
	void *pptrs[1];
};

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct bpf_iter__bpf_map {
	struct bpf_iter_meta *meta;
	struct bpf_map *map;
};

#pragma clang attribute pop

/* include/linux/sched.h */
#define PF_EXITING           0x00000004
#define PF_IO_WORKER         0x00000010
#define PF_FORKNOEXEC        0x00000040 /* no exec since its fork */
#define PF_USER_WORKER       0x00004000 /* 6.4 */
#define PF_KTHREAD           0x00200000
#define TASK_INTERRUPTIBLE   0x00000001
#define TASK_UNINTERRUPTIBLE 0x00000002
/* include/linux/fs.h */
#define FMODE_PATH 0x4000
#define O_APPEND   00002000
/* include/linux/blk_types.h */
#define REQ_OP_MASK  0xff
#define REQ_OP_READ  0
#define REQ_OP_WRITE 1
#define REQ_OP_FLUSH 2
/* include/linux/sched/signal.h */
#define SIGNAL_GROUP_EXIT 0x00000004
/* include/trace/events/signal.h */
#define TRACE_SIGNAL_DELIVERED 0
#define TRACE_SIGNAL_LOSE_INFO 4
/* include/uapi/asm-generic/signal.h, siginfo.h */
#define SIGKILL   9
#define SI_USER   0
#define SI_KERNEL 0x80

/* The number of the system call that a thread is in (below 0: none), and its arguments. In a
 * kprobe, the arguments of a function are in the same registers. */
#if defined(__TARGET_ARCH_x86)
#define PT_CALL(regs)   ((__s64)(regs)->orig_ax)
#define PT_FIRST(regs)  ((regs)->di)
#define PT_SECOND(regs) ((regs)->si)
#define PT_THIRD(regs)  ((regs)->dx)
#define PT_FOURTH(regs) ((regs)->r10) /* of a system call only */
#define PT_FIFTH(regs)  ((regs)->r8)
/* Of a function, in a kprobe. */
#define PROBE_FIRST(regs)  ((regs)->di)
#define PROBE_FOURTH(regs) ((regs)->cx)
#define PROBE_RETURN(regs) ((regs)->ax)
#define IS_32_BIT(task)    ((task)->thread_info.status & 0x0002) /* TS_COMPAT */
#elif defined(__TARGET_ARCH_arm64)
#define PT_CALL(regs)      ((__s64)(regs)->syscallno)
#define PT_FIRST(regs)     ((regs)->orig_x0)
#define PT_SECOND(regs)    ((regs)->regs[1])
#define PT_THIRD(regs)     ((regs)->regs[2])
#define PT_FOURTH(regs)    ((regs)->regs[3])
#define PT_FIFTH(regs)     ((regs)->regs[4])
#define PROBE_FIRST(regs)  ((regs)->regs[0])
#define PROBE_FOURTH(regs) ((regs)->regs[3])
#define PROBE_RETURN(regs) ((regs)->regs[0])
#define IS_32_BIT(task)    ((task)->thread_info.flags & 1 << 22) /* TIF_32BIT */
#endif

#if defined(__TARGET_ARCH_x86)
#define SYSCALL_PREFIX "__x64_"
#elif defined(__TARGET_ARCH_arm64)
#define SYSCALL_PREFIX "__arm64_"
#endif

/* The context of a system call's exit tracepoint (struct syscall_trace_exit; its form is part of
 * the user interface). */
struct syscall_exit {
	__u64 common;
	int number;
	long error;
};

/* Network file systems that <linux/magic.h> does not name. */
#define LUSTRE_SUPER_MAGIC 0x0BD00BD0
#define GPFS_SUPER_MAGIC   0x47504653
#define BEEGFS_SUPER_MAGIC 0x19830326
