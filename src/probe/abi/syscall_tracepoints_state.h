/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once

/*
 * The tracepoints of system calls that serve where fentry and fexit are refused (hooks.h), as both
 * sides see them. Any of them makes every system call of the host dearer (tracefs.h): they are
 * attached only while something tracked lives.
 */
enum syscall_tracepoints_state {
	SYSCALL_TRACEPOINTS_NONE, /* none is needed here */
	SYSCALL_TRACEPOINTS_ATTACHED,
	SYSCALL_TRACEPOINTS_DETACHED, /* nothing tracked lives: detached */
	SYSCALL_TRACEPOINTS_DUE, /* something does again: the agent is woken, and attaches them */
};
