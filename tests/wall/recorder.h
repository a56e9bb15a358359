/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * One event of a recording, in the order of the recorder's ring; by time once sorted (stable).
 * tests/wall/recording.py reads it: its format there must agree.
 */

enum event_kind {
	EVENT_FORK = 1, /* tid, tgid: the new thread; other_*: its parent */
	EVENT_EXEC,     /* other_tid: the thread's id before */
	EVENT_EXIT,     /* of a thread */
	EVENT_LEAVE,    /* a CPU; with what the thread waits for */
	EVENT_COME,     /* on a CPU */
	EVENT_WAKING,   /* other_*: the thread that was current */
};

struct event {
	__u64 time_ns;    /* CLOCK_BOOTTIME */
	__u64 arrival_ns; /* LEAVE, EXIT, EXEC: when the thread came on the CPU, by the scheduler's
			     clock */
	__u32 kind;
	__u32 tid, tgid;
	__u32 other_tid, other_tgid;
	__u32 state; /* LEAVE: prev_state */
	__s64 call;  /* LEAVE: the system call's number, below 0 in none */
	__u64 arguments[6];
	__u16 modes[3];    /* LEAVE: i_mode of the file of the n-th argument as descriptor; 0xffff:
			      none */
	__u16 walked_mode; /* LEAVE: i_mode where a walk along a path is; 0xffff: no walk */
	__u8 preempt, iowait, memstall, pad[5];
	char comm[16];
};
