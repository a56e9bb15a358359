/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/errno.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/network.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/state.bpf.h"
#include "probe/bpf/net/datagram.bpf.h"
#include "probe/bpf/net/network.bpf.h"
#include "probe/bpf/net/socket.bpf.h"
#include "probe/bpf/net/socket_owner.bpf.h"

/* Bytes through sockets, counted for the process of the running thread. */

#define MSG_PEEK 0x2 /* include/linux/socket.h */

/* Makes the entry of a kind of traffic. NULL: no room, which is counted. If the process was freed
 * meanwhile, the entry is removed again: a state is freed before its counts are. */
static __noinline struct network_entry *network_begin(struct process_state *state,
						      struct network_key *key)
{
	static const struct network_entry none;
	struct network_entry *entry;

	bpf_map_update_elem(&networks, key, (const void *)&none, BPF_NOEXIST);
	entry = bpf_map_lookup_elem(&networks, key);
	if (!entry) {
		__sync_fetch_and_add(&losses.network, 1);
		return NULL;
	}
	__sync_fetch_and_or(&state->flows, 1U << key->flow);
	if (state->start_ns != key->start_ns)
		bpf_map_delete_elem(&networks, key);
	return entry;
}

static __always_inline struct network_entry *network_of(struct process_state *state, __u32 flow)
{
	struct network_key key = { .pid = state->pid, .flow = flow, .start_ns = state->start_ns };
	struct network_entry *entry = bpf_map_lookup_elem(&networks, &key);

	if (!entry)
		entry = network_begin(state, &key);
	if (entry)
		entry->changed = 1;
	return entry;
}

static __always_inline void socket_take(struct socket_owner *owner,
					const struct process_state *state)
{
	owner->pid = state->pid;
	owner->start_ns = state->start_ns;
}

/* Stores the owner, by which an event of a connection finds its process while no thread of it runs.
 * Mostly it is the same socket as before: a lookup each time would double the cost of a call. */
static __always_inline void socket_used(struct sock *sk, const struct process_state *state)
{
	struct socket_owner *owner =
		bpf_sk_storage_get(&socket_owners, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);

	if (owner && owner->pid != state->pid)
		socket_take(owner, state);
}

static __always_inline int socket_moved(struct sock *sk, bool typed, int moved, bool sent)
{
	struct process_state *state = state_running();
	struct network_entry *entry;
	__u32 flow;

	if (!state)
		return 0;
	if (moved < 0)
		return moved == -ECONNREFUSED ? datagram_refused(state, sk, typed) : 0;
	flow = flow_of(sk, typed, sent);
	entry = network_of(state, flow);
	if (!entry)
		return 0;
	if (entry->socket != (__u64)sk) {
		entry->socket = (__u64)sk;
		if (typed && !(flow & NETWORK_UDP) && flow < NETWORK_UNIX_STREAM)
			socket_used(sk, state);
	}
	__sync_fetch_and_add(sent ? &entry->counts.tx_bytes : &entry->counts.rx_bytes, moved);
	__sync_fetch_and_add(sent ? &entry->counts.tx_calls : &entry->counts.rx_calls, 1);
	return 0;
}

static __always_inline int network_moved(struct sock *sk, int moved, bool sent)
{
	return socket_moved(sk, true, moved, sent);
}

SEC("tp_btf/sock_send_length")
int BPF_PROG(on_socket_send, struct sock *sk, int moved, int flags)
{
	return network_moved(sk, moved, true);
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(on_socket_receive, struct sock *sk, int moved, int flags)
{
	return flags & MSG_PEEK ? 0 : network_moved(sk, moved, false);
}
