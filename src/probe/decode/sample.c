/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/abi/process.h"
#include "probe/api/probe.h"
#include "probe/decode/figures_decode.h"
#include "probe/decode/iterator.h"
#include "probe/load/open_probe.h"
#include "process.skel.h"

#define USES_SAMPLES  5 /* the use of files and disks is read with one sample of so many */
#define THREADS_FIRST 256

/* Records of threads of multi-threaded processes, until they can be added up. */
struct threads {
	struct probe *probe;
	struct process_alive_record *records;
	size_t count, capacity;
	int processes;
};

static void report(struct threads *threads, const struct process_alive_record *record)
{
	const struct probe_handler *handler = &threads->probe->handler;
	struct probe_alive alive = {
		.key = { .pid = record->head.pid, .start_ns = record->head.start_ns },
		.image_seq = record->head.image_seq,
		.uid = record->head.uid,
		.cgroup_id = record->head.cgroup_id,
	};

	figures_decode(&alive.figures, &record->consumed, threads->probe->page_shift);
	threads->processes++;
	if (handler->on_alive)
		handler->on_alive(handler->context, &alive);
}

static int keep(struct threads *threads, const struct process_alive_record *record)
{
	if (threads->count == threads->capacity) {
		size_t capacity = threads->capacity ? 2 * threads->capacity : THREADS_FIRST;
		void *grown = reallocarray(threads->records, capacity, sizeof(threads->records[0]));

		if (!grown)
			return -ENOMEM;
		threads->records = grown;
		threads->capacity = capacity;
	}
	threads->records[threads->count++] = *record;
	return 0;
}

static int on_thread(const struct process_alive_record *record, void *context)
{
	struct threads *threads = context;

	if (!record->alone || !record->leader)
		return keep(threads, record);
	report(threads, record);
	return 0;
}

/* By process, the leader first. */
static int order(const void *a, const void *b)
{
	const struct process_alive_record *one = a, *other = b;

	if (one->head.pid != other->head.pid)
		return one->head.pid < other->head.pid ? -1 : 1;
	return (int)other->leader - (int)one->leader;
}

static void add(struct process_consumed *sum, const struct process_consumed *of)
{
	uint64_t *to = (uint64_t *)&sum->counts;
	const uint64_t *from = (const uint64_t *)&of->counts;

	for (size_t i = 0; i < sizeof(sum->counts) / sizeof(*to); i++)
		to[i] += from[i];
	if (figures_resident_pages(of)) { /* the leader has ended and has no memory any more */
		memcpy(sum->pages, of->pages, sizeof(sum->pages));
		sum->peak_pages = of->peak_pages;
		sum->peak_exact = of->peak_exact;
	}
}

/* Skips threads without a record of their leader, which ended meanwhile: the exit record has their
 * counts. */
static void add_up(struct threads *threads)
{
	struct process_alive_record *all = threads->records;

	if (!threads->count)
		return;
	qsort(all, threads->count, sizeof(*all), order);
	for (size_t i = 0, next; i < threads->count; i = next) {
		for (next = i + 1; next < threads->count && all[next].head.pid == all[i].head.pid;
		     next++)
			add(&all[i].consumed, &all[next].consumed);
		if (all[i].leader)
			report(threads, &all[i]);
	}
}

int probe_sample(struct probe *probe)
{
	struct threads threads = { .probe = probe };
	int code = 0;

	if (++probe->samples % USES_SAMPLES == 0)
		code = iterator_run(probe->skel->links.sample_uses, NULL, NULL);
	if (!code)
		code = iterator_run(probe->skel->links.sample, on_thread, &threads);
	if (!code)
		add_up(&threads);
	free(threads.records);
	return code ? code : threads.processes;
}
