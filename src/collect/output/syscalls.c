/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/syscalls.h"

/* Messages take char *, and the outbox copies them without writing. */
#define TEXT(value) ((char *)(uintptr_t)(value))

void syscalls_made(void *context, const struct probe_syscall *call)
{
	struct tracker *tracker = context;
	const struct process *process = table_get(tracker->table, &call->key);
	Signal__Syscall record = SIGNAL__SYSCALL__INIT;

	if (!process || tracker_is_noise(process))
		return;
	record.pid = call->key.pid;
	record.start_ns = call->key.start_ns;
	record.image_seq = call->image_seq;
	record.run_id = TEXT(attribution_run_id(&process->attribution));
	record.task_id = TEXT(attribution_task_id(&process->attribution));
	record.class_ = TEXT(call->class);
	record.error = TEXT(call->error);
	record.calls = call->calls;
	record.time_ns = call->time_ns;
	outbox_add(tracker->outbox, &record.base);
}
