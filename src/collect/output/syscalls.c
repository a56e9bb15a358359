/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/syscalls.h"

#include "collect/output/outbox.h"
#include "collect/process/process_table.h"

/* Messages take char *, and the outbox copies them without writing. */
#define TEXT(value) ((char *)(uintptr_t)(value))

void syscalls_record(const struct process_table *processes, struct outbox *outbox,
		     const struct probe_syscall *call)
{
	const struct process *process = process_table_get(processes, &call->key);
	Signal__Syscall record = SIGNAL__SYSCALL__INIT;

	if (!process || process_is_noise(process))
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
	outbox_add(outbox, &record.base);
}
