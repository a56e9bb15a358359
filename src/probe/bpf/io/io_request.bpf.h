/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/io.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/io/io.bpf.h"
#include "probe/bpf/io/io_entry.bpf.h"

/* Requests to block devices under way. */

/* Preallocated: requests come in bursts, with interrupts off. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, IO_REQUESTS_MAX);
	__type(key, __u64); /* address of the struct request */
	__type(value, struct io_request);
} io_requests SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct io_sums);
} io_sums SEC(".maps");

__s64 io_under_way; /* entries of io_requests; mostly 0: then no search is needed */

/* A write of no bytes flushes. */
static __always_inline __u32 io_operation_of(struct request *rq)
{
	__u32 operation = rq->cmd_flags & REQ_OP_MASK;

	if (operation == REQ_OP_READ)
		return IO_READ;
	if (operation == REQ_OP_WRITE && rq->__data_len)
		return IO_WRITE;
	return operation == REQ_OP_WRITE || operation == REQ_OP_FLUSH ? IO_FLUSH : IO_OTHER;
}

static __always_inline void io_count_seen(bool tracked)
{
	__u32 zero = 0;
	struct io_sums *sums = bpf_map_lookup_elem(&io_sums, &zero);

	if (!sums)
		return;
	sums->requests++;
	sums->tracked += tracked;
}

/* A request at the address of one with an unseen end replaces it. false: no room, which is counted.
 */
static __always_inline bool io_keep(struct request *rq, const struct io_request *request)
{
	__u64 at = (__u64)rq;

	if (!bpf_map_update_elem(&io_requests, &at, request, BPF_NOEXIST))
		__sync_fetch_and_add(&io_under_way, 1);
	else if (bpf_map_update_elem(&io_requests, &at, request, BPF_EXIST)) {
		if (request->key.pid)
			__sync_fetch_and_add(&losses.io, 1);
		return false;
	}
	return true;
}

static __always_inline void io_begin(struct request *rq, struct process_state *state)
{
	struct io_request request = { .begun_ns = bpf_ktime_get_ns() };
	struct gendisk *disk = rq->q->disk;
	struct io_entry *entry;
	__u64 device = disk ? (__u64)disk->major << 20 | disk->first_minor : 0;

	request.key = io_key_of(state, device << 8 | (io_operation_of(rq) + 1));
	request.allocated_ns = rq->start_time_ns;
	entry = io_entry_of(state, &request.key, disk);
	if (!entry)
		return;
	request.image = (__u32)state->image_seq;
	__sync_fetch_and_add(&entry->under_way, 1);
	if (!io_keep(rq, &request))
		__sync_fetch_and_sub(&entry->under_way, 1);
}
