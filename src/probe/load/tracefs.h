/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Tracepoints by name, for those that only perf events can attach to: the tracepoints of single
 * system calls (syscalls/sys_exit_execve) are not in BTF, and their ids are in tracefs only. Where
 * the host has not mounted tracefs, it is mounted for this process only, by a descriptor and at no
 * path (fsopen(2), Linux 5.2). That needs CAP_SYS_ADMIN, so ids must be read while the agent
 * starts; attaching later needs CAP_PERFMON.
 *
 * While any tracepoint of a system call is attached, every system call of the host takes the
 * kernel's slow path: 6 ns more each (6.18: getppid 75 ns, 81 ns with one), however many there are.
 */
struct bpf_link;
struct bpf_program;

/* A descriptor of the folder, which the caller closes; -errno. */
int tracefs_open(void);
/* A tracepoint's id; -ENOENT: the kernel has none of this name, -EBADMSG: its file holds no id. */
int tracefs_id(int folder, const char *category, const char *name);
/* Attaches a program that was loaded (SEC("tracepoint")) on all CPUs. The caller destroys *ret by
 * bpf_link__destroy(). 0 or -errno. */
int tracefs_attach(int id, const struct bpf_program *program, struct bpf_link **ret);
