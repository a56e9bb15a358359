/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * The links to the tracepoints of single system calls (syscalls/sys_exit_openat, …), which serve
 * where fentry and fexit are refused. While any of them is attached, every system call of the host
 * is slower (tracefs.h): they are attached only while tracked processes are alive.
 */
struct probe;

#define SYSCALL_TRACEPOINTS_MAX 18

/* Before the load: leaves out all programs that observe files, with those of these tracepoints. */
void syscall_tracepoints_leave_out_files(struct probe *probe);
/* After the load, while the agent may still mount tracefs: finds the tracepoints that the loaded
 * programs need, and logs a warning with the consequence for each that is missing. hold: attaches
 * them at once and until the end. */
void syscall_tracepoints_open(struct probe *probe, bool hold);
/* Attaches them if the kernel side asks for it, or if they are detached and `any_alive`. */
void syscall_tracepoints_update(struct probe *probe, bool any_alive);
void syscall_tracepoints_close(struct probe *probe);
