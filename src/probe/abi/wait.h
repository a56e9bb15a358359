/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * Why a thread waits, as the kernel side tells it (wait.bpf.h). What it does while it does not wait
 * the kernel counts itself: on a CPU (se.sum_exec_runtime), ready for one (sched_info.run_delay).
 */
enum wait_state {
	WAIT_DISK,       /* block or network-file-system I/O inside a system call */
	WAIT_PAGING,     /* a page fault's I/O; reclaim and compaction on its behalf */
	WAIT_NETWORK,    /* a socket */
	WAIT_PIPE_READ,  /* what is upstream gives nothing */
	WAIT_PIPE_WRITE, /* what is downstream takes nothing */
	WAIT_LOCK,       /* futex, file lock, the address space's own lock */
	WAIT_CHILD,
	WAIT_SLEEP, /* a timer, by its own will */
	WAIT_POLL,  /* poll, select, epoll, eventfd */
	WAIT_OTHER, /* stopped, frozen, terminal, signals, whatever else */
	WAIT_STATES
};

/* What a system call waits for, where its number alone does not tell (values above WAIT_STATES). */
enum wait_call {
	WAIT_CALL_READ = WAIT_STATES, /* by the kind of file of its first argument */
	WAIT_CALL_WRITE,
	WAIT_CALL_COPY,     /* from the first argument (splice, tee, copy_file_range) */
	WAIT_CALL_SENDFILE, /* from the second to the first */
	WAIT_CALL_OPEN,     /* disk; a FIFO's other end */
	WAIT_CALL_PATH,     /* disk; where that is a walk along a path tells */
	WAIT_CALL_AT,       /* the same, or its first argument where the path is empty */
	WAIT_CALL_FILE,     /* disk; where that is its first argument tells */
	WAIT_CALL_CLOSE,    /* the same, as its file was closed: it is no descriptor any more */
	WAIT_CALL_POLL,     /* of several files: the first argument is a struct pollfd[] */
	WAIT_CALL_PPOLL,
	WAIT_CALL_SELECT,
	WAIT_CALL_PSELECT,
	WAIT_CALL_EPOLL,
	WAIT_CALL_EPOLL2,
};

#define WAIT_CALLS 512 /* system call numbers known by name; a power of two */

/* Which of the disk's time was elsewhere than on this host's own disks. */
enum wait_where { WAIT_LOCAL, WAIT_SHARED, WAIT_FUSE };

/* What ended a wait of WAIT_POLL. */
enum wait_woke {
	WAIT_WOKE_UNKNOWN,
	WAIT_WOKE_NETWORK,
	WAIT_WOKE_PIPE,
	WAIT_WOKE_TIMER,
	WAIT_WOKES
};

/* What is waited for there, a bit each. */
enum wait_for {
	WAIT_FOR_NETWORK = 1,
	WAIT_FOR_PIPE = 2,
	WAIT_FOR_TIMER = 4,  /* a timerfd */
	WAIT_FOR_OTHER = 8,  /* whatever else, and what could not be read */
	WAIT_FOR_EPOLL = 16, /* by an epoll, which knows what is ready */
};

#define WAIT_FILES 4 /* of a poll that are known by descriptor */

/* A bit for each thread id there can be (PID_MAX_LIMIT): set for those of tracked processes, so
 * that all others cost a switch no more than a look at two bits. */
#define WAIT_BITS      (1U << 22)
#define WAIT_SLOTS     16384 /* a power of two: see `waiters` */
#define WAIT_CROWD_MAX 32768 /* threads at one time beyond those that have their slot */

/* A thread of a tracked process. Instants are of the boot-time clock. */
struct waiter {
	__u32 tid;           /* 0: nobody's */
	__u8 pending;        /* 0: none; else 1 + enum wait_state of a wait not added up yet */
	__u8 where;          /* enum wait_where; of WAIT_POLL enum wait_woke */
	__u8 reclaims : 1;   /* memory on its own behalf, now */
	__u8 limited : 1;    /* what woke it is not proven: its timeout, if that was over */
	__u8 closes : 2;     /* enum wait_where of what it closed last */
	__u8 polls;          /* enum wait_for */
	__u64 begin_ns;      /* since when its life counts */
	__u64 out_ns;        /* it went off its CPU to wait */
	__u64 in_ns;         /* it came on a CPU last; 0: not seen yet */
	__u64 run_delay_ns;  /* sched_info.run_delay at out_ns */
	__u64 steal_time_ns; /* what the run queue had lost to interrupts and other guests at in_ns
			      */
	__u64 limit_ns;      /* of a poll: its timeout; 0: none */
	__u16 files[WAIT_FILES]; /* of a poll: descriptors that it would read from; of an epoll: it
				  */
};
