#pragma once
#include <stdint.h>

#include "base/buffer.h"
#include "probe/probe.h"

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
	uint64_t start_ns; /* to the clock tick (10 ms) */
};

/* Reads pid, arguments up to 32 KiB. -ESRCH: gone; -EACCES. */
int procfs_read(uint32_t pid, struct procfs_process *ret);
void procfs_clear(struct procfs_process *process);
/* Whether a start time read from /proc may be this one: equal to the tick. */
_Bool procfs_same_start(uint64_t procfs_ns, uint64_t start_ns);
