/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/record.h"

/* System calls of an image that ended since the last such record, all of one class and outcome.
 * Those of an image come before the record of its end. */
struct probe_syscall {
	struct probe_key key;
	uint64_t image_seq;
	const char *class; /* open, read, ...: syscall_decode.c */
	const char
		*error; /* "": they did not fail; ENOENT, ...; "other": several, not told apart */
	uint64_t calls;
	uint64_t time_ns; /* from their beginning to their end, added up */
};

struct probe;
/* Makes the kernel tell of what lives: on_syscall at the next probe_poll. 0 (also where nothing is
 * counted) or -errno. */
int probe_syscalls(struct probe *probe);
