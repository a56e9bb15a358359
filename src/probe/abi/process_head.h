/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/* The head of every record. */
enum process_kind {
	PROCESS_FORK = 1,
	PROCESS_IMAGE,
	PROCESS_EXIT,
	PROCESS_RESIDUAL,
	PROCESS_KILL,
	PROCESS_ATTEMPT,
	PROCESS_NETWORK,
	PROCESS_CGROUP_MADE,
	PROCESS_CGROUP_GONE,
	PROCESS_FILE,
	PROCESS_EXEC_EXCLUDED, /* the process exec'd an excluded program: tracking ends */
	PROCESS_IO,
	PROCESS_SYSCALL,
	PROCESS_FOLDER,
	PROCESS_CONNECT,
	PROCESS_OPENS,
	PROCESS_KINDS
};

struct process_head {
	__u32 kind; /* enum process_kind */
	__u32 pid;
	__u64 start_ns;
	__u64 at_ns;     /* boot-time clock */
	__u64 image_seq; /* self_exec_id */
	__u64 cgroup_id; /* kernfs id; of the memory controller where it is on v1 */
	__u32 uid;       /* real_cred->uid */
	__u32 unused;
};
