/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

struct process_bpf;

/* Chooses whether the programs that count system calls are loaded; call it before the load, after
 * hooks_choose. Where they are wanted and this kernel has no tracepoint for them, it logs a
 * warning. */
void syscall_counts_choose(struct process_bpf *skel, bool wanted);
