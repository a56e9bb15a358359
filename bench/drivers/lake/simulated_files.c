/* SPDX-License-Identifier: Apache-2.0 */
#include "simulated_files.h"

#include <inttypes.h>
#include <stdio.h>

/* Fields of Batch. */
enum { EVENTS = 17, NETWORKS = 20, FILES = 21, IO_LATENCIES = 22 };

#define FILE_BYTES (UINT64_C(64) << 20)

static void put_key(struct record *record, const struct simulated_process *process)
{
	record_number(record, 1, process->pid);
	record_number(record, 2, process->start_ns);
	record_number(record, 3, process->image_seq);
	record_text(record, 4, process->run_id);
	record_text(record, 5, process->task_id);
}

static void put_file(struct buffer *out, const struct simulated_process *process, uint64_t file,
		     bool writes)
{
	struct record record = { 0 };
	char path[64];

	put_key(&record, process);
	record_number(&record, 6, file);
	record_text(&record, 7, "file");
	snprintf(path, sizeof(path), "/data/in/%" PRIu64 ".bam", file);
	record_text(&record, 8, path);
	record_number(&record, 9, 1);
	record_number(&record, 11, FILE_BYTES + file % 4096);
	record_number(&record, 12, FILE_BYTES);
	record_number(&record, 13, !writes);
	record_number(&record, 14, writes);
	record_number(&record, 17, (uint64_t)process->started_at);
	record_number(&record, 18, (uint64_t)process->ended_at);
	record_end(&record, FILES, out);
}

static void put_system(struct buffer *out, const struct simulated_process *process)
{
	struct record record = { 0 };

	put_key(&record, process);
	record_number(&record, 6, UINT64_C(1) << 40);
	record_text(&record, 7, "system");
	record_number(&record, 9, 12);
	record_number(&record, 11, 4096);
	record_number(&record, 17, (uint64_t)process->started_at);
	record_number(&record, 18, (uint64_t)process->ended_at);
	record_end(&record, FILES, out);
}

static void put_network(struct buffer *out, const struct simulated_process *process)
{
	struct record record = { 0 };

	put_key(&record, process);
	record_text(&record, 6, "inet");
	record_text(&record, 7, "tcp");
	record_number(&record, 9, 100000 + process->image_seq % 9973);
	record_number(&record, 10, 1000 + process->image_seq % 997);
	record_number(&record, 11, 12);
	record_number(&record, 12, 3);
	record_number(&record, 13, 1);
	record_text(&record, 19, "192.0.2.7:443");
	record_end(&record, NETWORKS, out);
}

static void put_latency(struct buffer *out, const struct simulated_process *process)
{
	struct record record = { 0 };

	put_key(&record, process);
	record_text(&record, 6, "nvme0n1");
	record_text(&record, 7, "read");
	record_number(&record, 8, 100);
	record_number(&record, 9, 100 * 131072);
	record_number(&record, 12, 100 * UINT64_C(120000) + process->image_seq % 7919);
	record_end(&record, IO_LATENCIES, out);
}

static void put_failure(struct buffer *out, const struct simulated_process *process)
{
	struct record record = { 0 };

	record_number(&record, 1, (uint64_t)process->ended_at);
	record_text(&record, 2, "exit_failed");
	record_number(&record, 3, process->pid);
	record_number(&record, 4, process->start_ns);
	record_number(&record, 5, process->image_seq);
	record_text(&record, 6, process->run_id);
	record_text(&record, 7, process->task_id);
	record_text(&record, 8, "it exited with 1");
	record_number(&record, 12, 1);
	record_end(&record, EVENTS, out);
}

void simulated_files(struct buffer *out, const struct simulated_process *process, unsigned before)
{
	if (process->image_seq > before)
		put_file(out, process, process->image_seq - before, false);
	put_file(out, process, process->image_seq, true);
	put_system(out, process);
	if (process->image_seq % 10 == 0)
		put_network(out, process);
	if (process->image_seq % 10 == 1)
		put_latency(out, process);
	if (process->failed)
		put_failure(out, process);
}
