#pragma once
#include <stdbool.h>
#include <linux/types.h>

/*
 * The kernel's types, by hand: only the fields that the programs read, in any order; where a field
 * stands is filled in for the running kernel when a program is loaded (CO-RE). A name behind three
 * underscores is another kernel's form of the type before them. Read from Linux 5.15 to 6.18.
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

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
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

struct file {
	struct path f_path;
};

struct fs_struct {
	struct path pwd;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
};

enum cgroup_subsys_id { memory_cgrp_id = 4, CGROUP_SUBSYS_COUNT = 12 };

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

struct signal_struct {
	struct {
		int counter;
	} live;
	int group_exit_code;
	unsigned int flags;
	__u64 utime, stime;
	unsigned long nvcsw, nivcsw, min_flt, maj_flt, maxrss;
	unsigned long long sum_sched_runtime;
	struct task_io_accounting ioac;
};

/* A run queue: the clock in which exec_start is given. */
struct rq {
	__u64 clock, clock_task;
};

struct cfs_rq {
	struct rq *rq;
};

struct sched_entity {
	__u64 exec_start, sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

struct sched_info {
	unsigned long long run_delay;
};

struct task_struct {
	unsigned int flags;
	struct sched_entity se;
	struct sched_info sched_info;
	struct mm_struct *mm;
	int exit_code;
	int pid, tgid;
	struct task_struct *real_parent, *group_leader;
	struct pid *thread_pid;
	__u64 utime, stime, start_boottime, self_exec_id;
	unsigned long nvcsw, nivcsw, min_flt, maj_flt;
	const struct cred *real_cred;
	struct fs_struct *fs;
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
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
#define PF_EXITING     0x00000004
#define PF_IO_WORKER   0x00000010
#define PF_USER_WORKER 0x00004000 /* 6.4 */
#define PF_KTHREAD     0x00200000
/* include/linux/sched/signal.h */
#define SIGNAL_GROUP_EXIT 0x00000004

enum mm_counter { MM_FILEPAGES, MM_ANONPAGES, MM_SWAPENTS, MM_SHMEMPAGES };
