/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/connect.h"
#include "probe/abi/failure.h"
#include "probe/abi/process_state.h"

/* The failed connections of the running image of each process, noted once for each address,
 * protocol and error. */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, FAILURES_MAX);
	__type(key, __u32); /* pid */
	__type(value, struct connect_failures);
} connects SEC(".maps");

static const volatile struct connect_failures no_connects;

/* NULL: no memory. */
static __always_inline struct connect_failures *connects_of(const struct process_state *state)
{
	__u32 pid = state->pid;
	struct connect_failures *found = bpf_map_lookup_elem(&connects, &pid);

	if (found && found->start_ns == state->start_ns)
		return found;
	bpf_map_update_elem(&connects, &pid, (const void *)&no_connects, BPF_ANY);
	found = bpf_map_lookup_elem(&connects, &pid);
	if (found)
		found->start_ns = state->start_ns;
	return found;
}

static __always_inline bool connect_is(const struct connect_failure *one,
				       const struct connect_failure *other)
{
	return one->address[0] == other->address[0] && one->address[1] == other->address[1] &&
	       one->address[2] == other->address[2] && one->address[3] == other->address[3] &&
	       one->port == other->port && one->inet6 == other->inet6 && one->udp == other->udp &&
	       one->error == other->error;
}

static __always_inline void connect_add(struct connect_failures *all,
					const struct connect_failure *failure)
{
	struct connect_noted *noted;
	__u32 i = __sync_fetch_and_add(&all->count, 1);

	barrier_var(i);
	if (i >= CONNECT_FAILURES_MAX)
		return;
	noted = &all->list[i];
	noted->failure = *failure;
	noted->failure.count = 1;
	/* An exchange, so that whoever finds it new finds it written. */
	__sync_lock_test_and_set(&noted->report, CONNECT_NEW);
}

static __always_inline void connect_repeat(struct connect_noted *noted,
					   const struct connect_failure *failure)
{
	noted->failure.at_ns = failure->at_ns;
	noted->failure.waited_ns = failure->waited_ns;
	__sync_fetch_and_add(&noted->failure.count, 1);
	__sync_val_compare_and_swap(&noted->report, CONNECT_SENT, CONNECT_AGAIN);
}

static __always_inline void connect_forget(struct process_state *state)
{
	__u32 pid = state->pid;

	if (state->flags & PROCESS_CONNECT_FAILED)
		bpf_map_delete_elem(&connects, &pid);
}
