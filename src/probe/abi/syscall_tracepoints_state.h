/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once

/*
 * The state of the tracepoints of system calls, which serve where fentry and fexit are refused
 * (api/hooks.h). While any of them is attached, every system call on this host is slower
 * (tracefs.h): they are attached only while tracked processes are alive.
 */
enum syscall_tracepoints_state {
	SYSCALL_TRACEPOINTS_NONE, /* this kernel needs none */
	SYSCALL_TRACEPOINTS_ATTACHED,
	SYSCALL_TRACEPOINTS_DETACHED, /* no tracked process is alive */
	SYSCALL_TRACEPOINTS_DUE, /* a process began tracking: the agent is woken to attach them */
};
