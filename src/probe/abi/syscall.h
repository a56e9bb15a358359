/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/process_head.h"

/*
 * The system calls of a program image, as the kernel side counts them on request (syscall.bpf.h). A
 * call is counted once, when it ends, by its class and its error.
 */
enum syscall_class {
	SYSCALL_OTHER, /* a call that syscall_class_table.c does not list */
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
	SYSCALL_COMPAT, /* of a 32-bit program, which uses other numbers */
	SYSCALL_CLASSES
};

#define SYSCALL_NUMBERS       512 /* a power of two */
#define SYSCALL_FAILURES      24 /* pairs of class and error that are counted separately, per image */
#define SYSCALL_PROCESSES_MAX 4096 /* live processes that are counted at one time */
#define SYSCALL_ERRNO_MAX     4095 /* MAX_ERRNO */

/* Errors that no program sees: a signal arrived, and the call starts again or fails with EINTR,
 * which is not known yet when it ends (include/linux/errno.h). All are counted as the first. */
#define SYSCALL_RESTART      512 /* ERESTARTSYS */
#define SYSCALL_RESTART_LAST 516 /* ERESTART_RESTARTBLOCK */

/* Index into counts: success by class; a failure by pair of class and error, or by class once the
 * image has SYSCALL_FAILURES pairs. */
#define SYSCALL_DONE   0
#define SYSCALL_FAILED SYSCALL_CLASSES
#define SYSCALL_PAIRS  (2 * SYSCALL_CLASSES)
#define SYSCALL_COUNTS (SYSCALL_PAIRS + SYSCALL_FAILURES)

#define SYSCALL_PAIR(class, error) ((class) << 16 | (error)) /* never 0: error is not 0 */

struct syscall_key {
	__u32 pid;
	__u32 start; /* bits of start_ns, since a pid is reused */
};

struct syscall_count {
	__u64 calls, ns;
};

/* Counts since the last record. */
struct syscall_use {
	struct syscall_count counts[SYSCALL_COUNTS];
	__u32 pairs[SYSCALL_FAILURES]; /* SYSCALL_PAIR; 0: none yet */
};

/* The system call that a thread is in. */
struct syscall_begun {
	__u64 at_ns; /* 0: none, or its beginning was not seen */
	__u32 class;
	__u32 restores; /* sigreturn: its return value is a restored register, not a result */
};

/* The growth since the last such record of the image. Of head only kind, pid, start_ns and
 * image_seq are set. */
struct process_syscall_record {
	struct process_head head;
	struct syscall_use use;
};
