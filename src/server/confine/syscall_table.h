/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* The system calls that a confined lake makes. A name that an architecture does not have (arm64 has
 * no open, only openat) is left out there. */

enum syscall_rule {
	SYSCALL_ALLOWED,
	SYSCALL_SANITIZER, /* allowed in a build with a sanitizer; else as SYSCALL_DEADLY */
	SYSCALL_ABSENT,    /* ENOSYS, so that the caller takes an older one that can be judged */
	SYSCALL_DEADLY,    /* ends the process: no part of the lake makes it */
};

struct syscall_entry {
	const char *name;
	enum syscall_rule rule;
};

extern const struct syscall_entry SYSCALLS[];
extern const size_t SYSCALLS_COUNT;
