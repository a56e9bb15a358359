/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/wait.h"

/*
 * The kernel side's state of a tracked process.
 */
#define PROCESS_SLOTS     8192  /* a power of two: see `processes` */
#define PROCESS_CROWD_MAX 32768 /* processes without a slot of their own, tracked at one time */

/* Counts that only grow: of a thread, of ended threads, of a process, of an image. */
struct process_counts {
	__u64 cpu_ns;                     /* se.sum_exec_runtime and what ran since exec_start */
	__u64 user_ticks, kernel_ticks;   /* utime, stime (ns, counted by ticks): the ratio in which
					     cpu_ns is divided */
	__u64 minor_faults, major_faults; /* min_flt, maj_flt */
	__u64 ctx_voluntary, ctx_involuntary; /* nvcsw, nivcsw */
	__u64 runnable_ns; /* sched_info.run_delay; the kernel keeps no sum over ended threads of
			      this and the following counts */
	__u64 read_chars_bytes, write_chars_bytes; /* ioac.rchar, ioac.wchar */
	__u64 disk_read_bytes, disk_write_bytes;   /* ioac.read_bytes, ioac.write_bytes */
	__u64 threads_ns;                          /* life time of threads: the sum of all times */
	__u64 waits_ns[WAIT_STATES];
	__u64 disk_shared_ns, disk_fuse_ns; /* of WAIT_DISK: network file systems, FUSE */
};

/* The first counts of process_counts, which the kernel itself sums over the ended threads. */
struct process_base {
	__u64 cpu_ns, user_ticks, kernel_ticks, minor_faults, major_faults, ctx_voluntary,
		ctx_involuntary;
};

enum process_flag {
	PROCESS_FOUND = 1,          /* ran before the programs were attached; not reported yet */
	PROCESS_BASE_UNKNOWN = 2,   /* base lacks what earlier images consumed */
	PROCESS_MM_SHARED = 4,      /* runs in its parent's memory (vfork) until it execs */
	PROCESS_ENDED = 8,          /* the exit record was made */
	PROCESS_FORK_PENDING = 16,  /* its fork was not sent yet */
	PROCESS_SIGNALLED = 32,     /* a signal was sent to it: it is in `kills` */
	PROCESS_EXEC_FAILED = 64,   /* an exec failed: it is in `attempts` */
	PROCESS_TIMES_MISSED = 128, /* what its threads waited for was not seen all the time */
	PROCESS_WALL_MISSED = 256,  /* its wall time lacks a thread, for which there was no room */
	PROCESS_CONNECT_FAILED = 512, /* a connection of its image failed: it is in `connects` */
	PROCESS_OPEN_FAILED = 1024,   /* an open of its image failed: it is in `opens` */
};

struct process_origin {
	__u64 at_ns;
	__u64 parent_start_ns;
	__u32 parent_pid; /* tgid in the initial pid namespace, as every pid here */
	__u32 parent_tid; /* the parent's thread that forked; 0: not seen */
};

/* The origin of a process, in a record. */
struct process_birth {
	struct process_origin origin;
	__u32 fork_pending; /* this record also reports the fork */
	__u32 unused;
};

/* Most programs do not use the descriptors that they inherit. An entry among the files for each
 * would be made and removed again, some 1.2 µs for a regular file (6.18); these slots cost less. */
#define FILES_HELD 2

struct file_held {
	__u64 key;  /* file_held_key; 0: none */
	__u64 from; /* its position when the program began */
};

/* pid and start_ns together identify the process. If pinned, the state survives the agent. */
struct process_state {
	__u64 start_ns; /* start_boottime of the leader; 0: the slot is free */
	__u64 image_seq;
	struct process_origin origin;
	__u32 pid;
	__u32 session; /* the agent that wrote it last; a later agent refreshes it first */
	__u32 flags;   /* enum process_flag */
	__s32 threads; /* alive */
	__u32 threads_peak;
	__u32 flows;       /* a bit for each network_flow with counts of this image */
	__u32 io_count;    /* entries in the chain `ios` */
	__u32 base_maxrss; /* signal->maxrss at exec, pages, at most 2^32 - 1 */
	__u64 peak_pages;  /* read before the image's memory was freed; 0: not read */
	__u64 sent_cpu_ns; /* as in the exit record */
	__u64 cwd;         /* dentry of the folder in which this image began; 0: not seen */
	__u64 files;       /* id of the first entry in the chain of files (file.h); 0: none */
	__u64 ios;         /* name of the first entry in the chain of I/O (io.h); 0: none */
	struct file_held held[FILES_HELD];
	__u32 files_opened, files_failed; /* by this image */
	__u64 woken_ns[WAIT_WOKES - 1]; /* time in polls, by what ended them: enum wait_woke - 1 */
	struct process_base base;       /* of the process when this image began */
	/* Of ended threads. Counts that `base` lacks are less their value when this image began, so
	 * they may be below zero, modulo 2^64. */
	struct process_counts dead;
};

/* In a hash table an entry has 64 bytes more, and the allocator gives 512 or 1,024. */
_Static_assert(sizeof(struct process_state) <= 448, "20,000 processes would take twice the memory");
