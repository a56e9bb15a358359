/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The descriptors on which the threads of a process wait now, as /proc/PID/task/TID/syscall shows
 * (proc(5)). Memory of the process is never read: that can block, where it lets a file system of
 * its own answer.
 */
enum stall_call {
	STALL_CALL,  /* a call on this one descriptor */
	STALL_EPOLL, /* one of those that an epoll watches */
	STALL_POLL,  /* a socket of one that polls: its list is in its memory */
};

#define STALL_WAITS 64

struct stall_waits {
	struct stall_wait {
		int fd;
		enum stall_call call;
	} list[STALL_WAITS];
	size_t count;
	bool polls; /* a thread polls */
	bool more;  /* there are more than fit */
};

/* left: the steps that may still be taken, each a descriptor or a line of /proc. */
void stall_waits_read(uint32_t pid, size_t *left, struct stall_waits *ret);
/* What a descriptor is open on ("pipe:[123]", "/data/x"); false: not known. */
bool stall_target(uint32_t pid, int fd, char *target, size_t size);
