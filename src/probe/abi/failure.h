/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * Why a process ended: the last fatal signal, failed execs, failed opens. The kernel side keeps
 * them until the process ends and sends them ahead of its exit record.
 */
#define FAILURE_PATH_MAX 256 /* of the file that could not be executed or opened, with its NUL */
#define FAILURE_COMM_MAX 16
#define FAILURES_MAX     8192 /* processes that have an entry at one time */

/* The last signal that could have ended a process. */
struct failure_kill {
	__u64 start_ns; /* of the signalled process; with its pid (the key) it identifies the
			   process */
	__u64 sender_start_ns;
	__u64 address;                 /* of a fault; else 0 */
	__u64 limit_pages, used_pages; /* of the fullest memory cgroup above it; 0: none is full */
	__u64 limit_left;              /* pages, of that cgroup */
	__u32 limit_level;             /* of that cgroup: how many parts its path has */
	__u32 sender_pid, sender_uid;  /* the running process when the signal was sent; for a signal
					  that an interrupt sent, an arbitrary one */
	__s32 code;                    /* si_code: SI_USER, SI_KERNEL, SEGV_MAPERR, ... */
	__u32 signal;
	__u32 oom; /* the OOM killer chose it; the sender is the process that needed memory */
	__s32 oom_score_adj;
	__u32 unused;
	char sender_comm[FAILURE_COMM_MAX];
};

/* Failed execs since the last successful one. */
struct failure_attempt {
	__u64 start_ns;
	__u32 count;
	__s32 error; /* negative errno; of a search along PATH one other than ENOENT, ENOTDIR */
	char path[FAILURE_PATH_MAX]; /* as the program gave it */
};

#define FAILURE_OPENS 4 /* the last ones, of each process; a power of two */

struct failure_open {
	__u64 at_ns;                 /* boot-time clock */
	__u32 error;                 /* errno */
	__u32 in_cwd;                /* a relative path, from the folder in which the image began */
	char path[FAILURE_PATH_MAX]; /* as the program gave it */
};

/* Failed opens of an image. */
struct failure_opens {
	__u64 start_ns;
	__u32 count; /* of all; the nth, from 0, is at n % FAILURE_OPENS */
	__u32 unused;
	struct failure_open last[FAILURE_OPENS];
};
