/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "collect/process/tracker.h"

/* System calls of a tracked process that ended become a record. context: the tracker. */
void syscalls_made(void *context, const struct probe_syscall *call);
