/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/io.h"

#include "collect/output/outbox.h"
#include "collect/process/process_table.h"

/* Messages take char *, and the outbox copies them without writing. */
#define TEXT(value) ((char *)(uintptr_t)(value))

void io_record(const struct process_table *processes, struct outbox *outbox,
	       const struct probe_io *io)
{
	const struct process *process = process_table_get(processes, &io->key);
	Signal__IoLatency record = SIGNAL__IO_LATENCY__INIT;
	uint64_t latencies[PROBE_IO_BUCKETS];

	if (!process || process_is_noise(process))
		return;
	for (size_t i = 0; i < PROBE_IO_BUCKETS; i++)
		latencies[i] = io->latencies[i];
	record.pid = io->key.pid;
	record.start_ns = io->key.start_ns;
	record.image_seq = io->image_seq;
	record.run_id = TEXT(attribution_run_id(&process->attribution));
	record.task_id = TEXT(attribution_task_id(&process->attribution));
	record.device = TEXT(io->device);
	record.operation = TEXT(io->operation);
	record.requests = io->requests;
	record.bytes = io->bytes;
	record.failures = io->failures;
	record.unfinished = io->unfinished;
	record.latency_ns = io->latency_ns;
	record.n_latencies = PROBE_IO_BUCKETS;
	record.latencies = latencies;
	outbox_add(outbox, &record.base);
}
