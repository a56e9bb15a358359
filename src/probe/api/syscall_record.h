/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/record.h"

/* System calls of an image, of one class and outcome, that ended since the last such record. The
 * records of an image precede the record of its end. */
struct probe_syscall {
	struct probe_key key;
	uint64_t image_seq;
	const char *class; /* open, read, ...: syscall_decode.c */
	const char *error; /* "": success; ENOENT, ...; "other": several errors, counted together */
	uint64_t calls;
	uint64_t time_ns; /* the sum of their durations */
};

struct probe;
/* Makes the kernel side send the counts of live processes: the next probe_poll calls on_syscall for
 * each. 0 (also where system calls are not counted) or -errno. */
int probe_syscalls(struct probe *probe);
