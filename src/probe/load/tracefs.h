/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Tracepoints by name, for what only perf events can attach to: the system calls' own tracepoints
 * (syscalls/sys_exit_execve) are in no BTF, their ids stand in tracefs alone. Where the host has it
 * not mounted it is mounted for this process only, by a descriptor and at no path (fsopen(2), Linux
 * 5.2), which takes CAP_SYS_ADMIN: ids are to be read while the agent starts. To attach later takes
 * CAP_PERFMON.
 *
 * Any system call tracepoint makes every system call of the host take the kernel's slow way out:
 * 6 ns each (6.18: getppid 75 ns, 81 ns with one), however many of them there are.
 */
struct bpf_link;
struct bpf_program;

/* A descriptor of the folder, to be closed; -errno. */
int tracefs_open(void);
/* A tracepoint's id; -ENOENT: the kernel has none of this name, -EBADMSG: what stands there is no
 * id. */
int tracefs_id(int folder, const char *category, const char *name);
/* Attaches a program that was loaded (SEC("tracepoint")) on all CPUs. *ret is to be given to
 * bpf_link__destroy(); 0 or -errno. */
int tracefs_attach(int id, const struct bpf_program *program, struct bpf_link **ret);
