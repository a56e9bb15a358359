/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/failure_case.h"

/* Which memory was short when the kernel killed a process, and how much would have sufficed. */
enum memory_scope_kind { SCOPE_TASK, SCOPE_SIBLING, SCOPE_HOST };

struct memory_scope {
	enum memory_scope_kind kind;
	uint64_t task_bytes;   /* the peaks of the task's processes at that time together: an upper
				  bound; 0: not known */
	uint64_t needed_bytes; /* the peak of the attempt that succeeded later; 0: none did */
};

/* event: EVENT_OOM_KILL. */
struct memory_scope memory_scope(const struct failure_case *failure,
				 const struct failure_event *event);
const char *memory_scope_name(enum memory_scope_kind kind);
