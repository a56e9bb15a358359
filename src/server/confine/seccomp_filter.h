/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/*
 * Limits the process, with all its threads, to the system calls of the lake (syscall_table.h), by
 * seccomp: any other one gives EPERM, and one that only an intruder makes ends the process with
 * SIGSYS. Needs no_new_privs. -ENOSYS: the kernel lacks seccomp; -errno with a message.
 */
int seccomp_filter_load(struct error *err);
