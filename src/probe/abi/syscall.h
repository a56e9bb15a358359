/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/process_head.h"

/*
 * The system calls that a program image made, as the kernel side counts them where that was asked
 * for (syscall.bpf.h). Each call is counted once, when it ends: by its class, and by its error.
 */
enum syscall_class {
	SYSCALL_OTHER, /* what syscall_decode.c does not name */
	SYSCALL_OPEN,
	SYSCALL_READ,
	SYSCALL_WRITE,
	SYSCALL_METADATA,
	SYSCALL_SYNC,
	SYSCALL_MEMORY,
	SYSCALL_PROCESS,
	SYSCALL_SIGNAL,
	SYSCALL_LOCK,
	SYSCALL_POLL,
	SYSCALL_SOCKET,
	SYSCALL_TIME,
	SYSCALL_IPC,
	SYSCALL_ASYNC,
	SYSCALL_COMPAT, /* any of a 32-bit program's: they have other numbers */
	SYSCALL_CLASSES
};

#define SYSCALL_NUMBERS       512  /* known by name; a power of two */
#define SYSCALL_FAILURES      24   /* pairs of class and error that are told apart, of an image */
#define SYSCALL_PROCESSES_MAX 4096 /* live ones that are counted at one time */
#define SYSCALL_ERRNO_MAX     4095 /* MAX_ERRNO */

/* Errors that no program sees: a signal came, and the call begins anew or fails with EINTR, which
 * its end does not tell yet (include/linux/errno.h). Counted as the first. */
#define SYSCALL_RESTART      512 /* ERESTARTSYS */
#define SYSCALL_RESTART_LAST 516 /* ERESTART_RESTARTBLOCK */

/* Where a call is counted: by class if it did not fail, or with an error beyond those that are told
 * apart; by pair of class and error. */
#define SYSCALL_DONE   0
#define SYSCALL_FAILED SYSCALL_CLASSES
#define SYSCALL_PAIRS  (2 * SYSCALL_CLASSES)
#define SYSCALL_COUNTS (SYSCALL_PAIRS + SYSCALL_FAILURES)

#define SYSCALL_PAIR(class, error) ((class) << 16 | (error)) /* never 0: there is an error */

struct syscall_key {
	__u32 pid;
	__u32 start; /* of start_ns: tells a process from an earlier one of this pid */
};

struct syscall_count {
	__u64 calls, ns;
};

/* What was not told yet. */
struct syscall_use {
	struct syscall_count counts[SYSCALL_COUNTS];
	__u32 pairs[SYSCALL_FAILURES]; /* SYSCALL_PAIR; 0: none yet */
};

/* A thread's call under way. */
struct syscall_begun {
	__u64 at_ns; /* 0: none, or none whose beginning was seen */
	__u32 class;
	__u32 restores; /* what it ends with is what the interrupted call left, no result */
};

/* What grew since the last such record of the image; the others of the head: 0. */
struct process_syscall_record {
	struct process_head head;
	struct syscall_use use;
};
