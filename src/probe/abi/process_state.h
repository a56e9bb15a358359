/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/wait.h"

/*
 * What the kernel side of the process programs keeps of each tracked process.
 */
#define PROCESS_SLOTS     8192  /* a power of two: see `processes` */
#define PROCESS_CROWD_MAX 32768 /* tracked at one time beyond those that have their slot */

/* Sums that only grow: of a thread, of the threads that ended, of a process, of an image. */
struct process_counts {
	__u64 cpu_ns;                     /* se.sum_exec_runtime and what ran since exec_start */
	__u64 user_ticks, kernel_ticks;   /* utime, stime, ns: by ticks; how cpu_ns divides */
	__u64 minor_faults, major_faults; /* min_flt, maj_flt */
	__u64 ctx_voluntary, ctx_involuntary; /* nvcsw, nivcsw */
	__u64 runnable_ns; /* sched_info.run_delay; the kernel keeps no sum of it, nor of what
			      follows */
	__u64 read_chars_bytes, write_chars_bytes; /* ioac.rchar, ioac.wchar */
	__u64 disk_read_bytes, disk_write_bytes;   /* ioac.read_bytes, ioac.write_bytes */
	__u64 threads_ns; /* the lives of threads: what all times explain */
	__u64 waits_ns[WAIT_STATES];
	__u64 disk_shared_ns, disk_fuse_ns; /* of WAIT_DISK: network file systems, FUSE */
};

/* The first of them, of which the kernel keeps sums over a process's ended threads itself. */
struct process_base {
	__u64 cpu_ns, user_ticks, kernel_ticks, minor_faults, major_faults, ctx_voluntary,
		ctx_involuntary;
};

enum process_flag {
	PROCESS_FOUND = 1,         /* was there before the programs were; not reported yet */
	PROCESS_BASE_UNKNOWN = 2,  /* base lacks what earlier images consumed */
	PROCESS_MM_SHARED = 4,     /* runs in its parent's memory (vfork) until it execs */
	PROCESS_ENDED = 8,         /* the exit record was made */
	PROCESS_FORK_PENDING = 16, /* forked, and no record has said so yet */
	PROCESS_SIGNALLED = 32,    /* by a signal: it is in `kills` */
	PROCESS_EXEC_FAILED = 64,  /* to exec, in vain: it is in `attempts` */
};

struct process_origin {
	__u64 at_ns;
	__u64 parent_start_ns;
	__u32 parent_pid; /* tgid in the initial pid namespace, as every pid here */
	__u32 parent_tid; /* the parent's thread that forked; 0: not seen */
};

/* Where a process comes from, in a record. */
struct process_birth {
	struct process_origin origin;
	__u32 fork_pending; /* nothing said before that this process was forked */
	__u32 unused;
};

/* Most programs leave most descriptors that they began with as they are. For those few an entry
 * among the files would be made and removed: some 1.2 us where one of them is a regular file
 * (6.18). */
#define FILES_HELD 2

struct file_held {
	__u64 key;  /* file_held_key; 0: none */
	__u64 from; /* its position then */
};

/* Whose it is, pid and start_ns say together. Survives the agent if pinned. */
struct process_state {
	__u64 start_ns; /* start_boottime of the leader; 0: nobody's */
	__u64 session;  /* which agent wrote it last; another one refreshes it first */
	__u64 image_seq;
	struct process_origin origin;
	__u32 pid;
	__u32 flags;   /* enum process_flag */
	__s32 threads; /* alive */
	__u32 threads_peak;
	__u32 flows;      /* a bit for each network_flow that the image has counts of */
	__u32 io_count;   /* entries in the chain `ios` */
	__u64 peak_pages; /* of the image's memory, where it was read before it went; 0: not read */
	__u64 base_maxrss; /* signal->maxrss at exec, pages */
	__u64 sent_cpu_ns; /* what the exit record said */
	__u64 files;       /* the first in its chain (file.h); 0: none */
	__u64 ios;         /* likewise (io.h) */
	struct file_held held[FILES_HELD];
	__u32 files_opened, files_failed; /* by this image */
	__u64 woken_ns[WAIT_WOKES];       /* of the image's polls, by what ended them */
	struct process_base base;         /* of the process when this image began */
	/* Of threads that ended; but for `base`'s, less what there was when this image began: may
	 * be below zero, modulo 2^64. */
	struct process_counts dead;
};

/* In a hash table an entry has 64 bytes more, and the allocator gives 512 or 1,024. */
_Static_assert(sizeof(struct process_state) <= 448, "20,000 processes would take twice the memory");
