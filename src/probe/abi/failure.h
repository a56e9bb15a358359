/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * Why a process ended: what the kernel side keeps of it until then, and the records that precede
 * its exit record.
 */
#define FAILURE_PATH_MAX 256 /* of the file that could not be run, and its NUL */
#define FAILURE_COMM_MAX 16
#define FAILURES_MAX     8192 /* processes of which one is kept, at one time */

/* The last signal that could have ended a process. */
struct failure_kill {
	__u64 start_ns; /* of the process that was struck; with its pid whose this is */
	__u64 sender_start_ns;
	__u64 address;                 /* of a fault; else 0 */
	__u64 limit_pages, used_pages; /* of the fullest memory cgroup above it; 0: none is full */
	__u64 limit_left;              /* pages, of that cgroup */
	__u32 limit_level;             /* of that cgroup: how many parts its path has */
	__u32 sender_pid,
		sender_uid; /* who ran when the signal was made: for an interrupt anybody */
	__s32 code;         /* si_code: SI_USER, SI_KERNEL, SEGV_MAPERR, ... */
	__u32 signal;
	__u32 oom; /* the kernel chose it because memory ran out; the sender asked for memory */
	__s32 oom_score_adj;
	__u32 unused;
	char sender_comm[FAILURE_COMM_MAX];
};

/* Execs that failed since the last one that did not. */
struct failure_attempt {
	__u64 start_ns;
	__u32 count;
	__s32 error; /* of the most telling one: what a search along PATH did not find tells least
		      */
	char path[FAILURE_PATH_MAX]; /* as it was asked for */
};
