/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/probe.h"

struct outbox;
struct process_table;

/* Records system calls of a tracked process that ended. */
void syscalls_record(const struct process_table *processes, struct outbox *outbox,
		     const struct probe_syscall *call);
