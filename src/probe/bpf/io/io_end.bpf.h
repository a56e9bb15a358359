/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/io.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/io/io.bpf.h"
#include "probe/bpf/io/io_request.bpf.h"

/* The end of requests to block devices. */

/* The number of bits of us, at most 23. */
static __always_inline __u32 io_bucket(__u64 us)
{
	__u32 bits = 0, rest = us >> (IO_BUCKETS - 1) ? (1U << (IO_BUCKETS - 1)) - 1 : (__u32)us;

	for (__u32 step = 16; step; step /= 2)
		if (rest >> step) {
			rest >>= step;
			bits += step;
		}
	bits += rest;
	return bits < IO_BUCKETS ? bits : IO_BUCKETS - 1;
}

/* NULL: it is of no tracked process, or its image has ended. */
static __always_inline struct io_entry *io_entry_under(const struct io_request *request)
{
	struct io_entry *entry = bpf_map_lookup_elem(&ios, &request->key);

	return entry && entry->image == request->image ? entry : NULL;
}

static __always_inline void io_forget(struct request *rq)
{
	__u64 at = (__u64)rq;

	if (!bpf_map_delete_elem(&io_requests, &at))
		__sync_fetch_and_sub(&io_under_way, 1);
}

static __always_inline void io_count(struct io_entry *entry, const struct io_request *request,
				     bool failed)
{
	__u64 latency_ns = bpf_ktime_get_ns() - request->begun_ns;

	__sync_fetch_and_add(&entry->counts.latencies[io_bucket(latency_ns / 1000)], 1);
	__sync_fetch_and_add(&entry->counts.latency_ns, latency_ns);
	if (failed)
		__sync_fetch_and_add(&entry->counts.failures, 1);
	else
		__sync_fetch_and_add(&entry->counts.bytes, request->bytes);
	__sync_fetch_and_sub(&entry->under_way, 1);
	entry->changed = 1;
}

/* A part of the request, or the rest of it, completed. Before 5.16 error is an errno. */
SEC("tp_btf/block_rq_complete")
int BPF_PROG(on_io_complete, struct request *rq, int error, unsigned int bytes)
{
	__u64 at = (__u64)rq;
	struct io_request *request;
	struct io_entry *entry;

	if (!io_under_way)
		return 0;
	request = bpf_map_lookup_elem(&io_requests, &at);
	if (!request)
		return 0;
	request->bytes += bytes;
	if (bytes < rq->__data_len)
		return 0;
	entry = io_entry_under(request);
	if (entry)
		io_count(entry, request, (error & 0xff) != 0);
	io_forget(rq);
	return 0;
}

/* A request is merged into the one before it: one request less. */
SEC("tp_btf/block_rq_merge")
int BPF_PROG(on_io_merge, struct request *rq)
{
	__u64 at = (__u64)rq;
	struct io_request *request = io_under_way ? bpf_map_lookup_elem(&io_requests, &at) : NULL;
	struct io_entry *entry = request ? io_entry_under(request) : NULL;

	if (entry)
		__sync_fetch_and_sub(&entry->under_way, 1);
	if (request)
		io_forget(rq);
	return 0;
}
