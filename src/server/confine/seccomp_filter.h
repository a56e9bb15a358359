/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/* What a process may do besides the system calls of the lake. */
enum seccomp_extra {
	SECCOMP_NETWORK = 1 << 0,   /* make sockets and connect them */
	SECCOMP_PROCESSES = 1 << 1, /* start copies of itself that confine themselves, end them */
};

/*
 * Limits the process, with all its threads, to the system calls of the lake (syscall_table.h), by
 * seccomp: any other one gives EPERM, and one that only an intruder makes ends the process with
 * SIGSYS. extra: of enum seccomp_extra. A second filter takes away more. Needs no_new_privs.
 * -ENOSYS: the kernel lacks seccomp; -errno with a message.
 */
int seccomp_filter_load(unsigned extra, struct error *err);
