/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * Why a thread waits, as the kernel side finds out at each context switch (wait.bpf.h). The kernel
 * itself counts the time on a CPU (se.sum_exec_runtime) and the time ready for one
 * (sched_info.run_delay).
 */
enum wait_state {
	WAIT_DISK,       /* block or network file system I/O in a system call */
	WAIT_PAGING,     /* I/O of a page fault; reclaim and compaction */
	WAIT_NETWORK,    /* a socket */
	WAIT_PIPE_READ,  /* the pipe is empty */
	WAIT_PIPE_WRITE, /* the pipe is full */
	WAIT_LOCK,       /* futex, file lock, the address space's own lock */
	WAIT_CHILD,
	WAIT_SLEEP, /* nanosleep and similar */
	WAIT_POLL,  /* poll, select, epoll, eventfd */
	WAIT_OTHER, /* stopped, frozen, terminal, signals, and the rest */
	WAIT_STATES
};

/* How to find out what a system call waits for if its number does not determine it (values from
 * WAIT_STATES on). */
enum wait_call {
	WAIT_CALL_READ = WAIT_STATES, /* by the kind of file of its first argument */
	WAIT_CALL_WRITE,
	WAIT_CALL_COPY,     /* from the first argument (splice, tee, copy_file_range) */
	WAIT_CALL_SENDFILE, /* from the second to the first */
	WAIT_CALL_OPEN,     /* disk, or a FIFO's other end */
	WAIT_CALL_PATH,     /* disk; the path walk under way shows on which file system */
	WAIT_CALL_AT,       /* as WAIT_CALL_PATH, or its first argument if the path is empty */
	WAIT_CALL_FILE,     /* disk; its first argument shows on which file system */
	WAIT_CALL_CLOSE,    /* as WAIT_CALL_FILE, but the descriptor is closed already */
	WAIT_CALL_POLL,     /* of several files: the first argument is a struct pollfd[] */
	WAIT_CALL_PPOLL,
	WAIT_CALL_SELECT,
	WAIT_CALL_PSELECT,
	WAIT_CALL_EPOLL,
	WAIT_CALL_EPOLL2,
};

#define WAIT_CALLS 512 /* system call numbers; a power of two */

/* Where the file of a WAIT_DISK is: on local disks, a network file system, FUSE. */
enum wait_where { WAIT_LOCAL, WAIT_SHARED, WAIT_FUSE };

/* What ended a wait of WAIT_POLL. */
enum wait_woke {
	WAIT_WOKE_UNKNOWN,
	WAIT_WOKE_NETWORK,
	WAIT_WOKE_PIPE,
	WAIT_WOKE_TIMER,
	WAIT_WOKES
};

/* What a poll waits for, one bit each. */
enum wait_for {
	WAIT_FOR_NETWORK = 1,
	WAIT_FOR_PIPE = 2,
	WAIT_FOR_TIMER = 4,  /* a timerfd */
	WAIT_FOR_OTHER = 8,  /* other files, and those that could not be read */
	WAIT_FOR_EPOLL = 16, /* an epoll, which lists what is ready */
};

/* What the wall time of the process knows of a thread. */
enum wait_wall {
	WAIT_WALL_NONE, /* nothing: the thread is the only one, or there was no room */
	WAIT_WALL_WAITS,
	WAIT_WALL_READY, /* it is new, or was woken or preempted, and is on no CPU */
	WAIT_WALL_ON,    /* it is on a CPU */
};

/* Where a system call that waits has its timeout: enum wait_limit. */
enum wait_limit {
	WAIT_LIMIT_NONE,   /* it has none */
	WAIT_LIMIT_ALWAYS, /* it always has one */
	WAIT_LIMIT_THIRD,  /* unless its third argument is NULL */
	WAIT_LIMIT_FOURTH,
	WAIT_LIMIT_FIFTH,
	WAIT_LIMIT_THIRD_MS, /* unless its third argument, an int, is negative */
	WAIT_LIMIT_FOURTH_MS,
};

#define WAIT_FILES 4 /* descriptors of a poll that are kept */

/* A bit for each possible thread id (PID_MAX_LIMIT), set for threads of tracked processes: a switch
 * between other threads costs no more than two bit tests. */
#define WAIT_BITS      (1U << 22)
#define WAIT_SLOTS     16384 /* a power of two: see `waiters` */
#define WAIT_CROWD_MAX 32768 /* threads without a slot of their own, at one time */

/* A thread of a tracked process. Instants are of the boot-time clock. */
struct waiter {
	__u32 tid;           /* 0: the slot is free */
	__u8 pending;        /* 0: none; else 1 + enum wait_state of a wait that is not added to the
				process yet */
	__u8 where : 2;      /* enum wait_where; for WAIT_POLL enum wait_woke */
	__u8 reclaims : 1;   /* it is in direct reclaim or compaction */
	__u8 limited : 1;    /* what woke it is not known: its timeout, if that had expired */
	__u8 closes : 2;     /* enum wait_where of the file it closed last */
	__u8 timed : 1;      /* its wait has a timeout; known if `wall` is set */
	__u8 polls;          /* enum wait_for */
	__u8 wall;           /* enum wait_wall */
	__u64 begin_ns;      /* start of its life time, as counted */
	__u64 out_ns;        /* when it left its CPU to wait */
	__u64 in_ns;         /* when it last came on a CPU; 0: not seen yet */
	__u64 run_delay_ns;  /* sched_info.run_delay at out_ns */
	__u64 steal_time_ns; /* steal and interrupt time of the run queue at in_ns */
	__u64 limit_ns;      /* timeout of a poll; 0: none */
	/* Of the wall time of its process, by `wall`: WAIT_WALL_WAITS: total_ns when it began to
	 * wait; WAIT_WALL_READY: wall_then(). WAIT_WALL_NONE: when it was last woken, or
	 * 0: its run_delay contains no sleep. */
	__u64 before_ns;
	__u16 files[WAIT_FILES]; /* of a poll: the descriptors that it reads from; of an epoll: the
				  * epoll itself */
};
