/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/io.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/io/io_request.bpf.h"

/* The beginning of requests to block devices. */

/* In the thread that makes the request, once for each. */
SEC("tp_btf/block_io_start")
int BPF_PROG(on_io_start, struct request *rq)
{
	struct process_state *state = state_running();

	io_count_seen(state != NULL);
	if (state)
		io_begin(rq, state);
	return 0;
}

/* Whether the request was seen before: inserted, then issued; or issued again. */
static __always_inline bool io_is_known(struct request *rq)
{
	__u64 at = (__u64)rq;
	const struct io_request *request = bpf_map_lookup_elem(&io_requests, &at);

	return request && request->allocated_ns == rq->start_time_ns;
}

/* An inserted request may be issued by any later thread, so that it is of no tracked process must
 * be known then. */
static __always_inline void io_begin_untracked(struct request *rq)
{
	struct io_request request = { .allocated_ns = rq->start_time_ns };

	io_keep(rq, &request);
}

/* A request enters the queue of a scheduler, or, without one, waits because the device is busy. */
SEC("tp_btf/block_rq_insert")
int BPF_PROG(on_io_insert, struct request *rq)
{
	struct process_state *state = state_running();

	if (io_under_way && io_is_known(rq))
		return 0;
	io_count_seen(state != NULL);
	if (state)
		io_begin(rq, state);
	else if (!rq->q->elevator)
		io_begin_untracked(rq);
	return 0;
}

/* A request goes to the device. With a scheduler all requests but flushes were inserted before. */
SEC("tp_btf/block_rq_issue")
int BPF_PROG(on_io_issue, struct request *rq)
{
	struct process_state *state;

	if (rq->q->elevator || (io_under_way && io_is_known(rq)))
		return 0;
	state = state_running();
	io_count_seen(state != NULL);
	if (state)
		io_begin(rq, state);
	return 0;
}
