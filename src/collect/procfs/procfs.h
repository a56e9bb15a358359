/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "probe/api/probe.h"

/*
 * A process as /proc shows it: for one that is seen alive though the kernel's record of it was
 * lost.
 */
struct procfs_process {
	struct buffer texts; /* exe, cwd, the arguments, each with its NUL */
	const char *exe, *cwd;
	const char **argv;
	size_t argc;
	uint32_t argv_missing_bytes, ppid;
	bool terminal;     /* it has a controlling one */
	uint64_t start_ns; /* to the clock tick (10 ms) */
};

/* Whether it has a controlling terminal. */
bool procfs_terminal(uint32_t pid);
/* When it began, to the clock tick. -ESRCH: gone. */
int procfs_started(uint32_t pid, uint64_t *ret_ns);
/* Reads pid, arguments up to 32 KiB (what is missing is counted up to 8 MiB). -ESRCH: gone;
 * -EACCES.
 */
int procfs_read(uint32_t pid, struct procfs_process *ret);
void procfs_clear(struct procfs_process *process);
/* Whether a start time read from /proc may be this one: equal to the tick. */
_Bool procfs_same_start(uint64_t procfs_ns, uint64_t start_ns);
