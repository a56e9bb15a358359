/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/in.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/network.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/table.bpf.h"
#include "probe/bpf/net/connect.bpf.h"
#include "probe/bpf/net/peer.bpf.h"
#include "probe/bpf/net/socket.bpf.h"
#include "probe/bpf/net/socket_owner.bpf.h"
#include "probe/bpf/net/traffic.bpf.h"

/*
 * TCP connections that are made or fail. Most of this happens while no thread of the process runs,
 * so the process is found by the socket.
 */

/* NULL: the owner is not tracked, or has ended. */
static __always_inline struct process_state *state_of_owner(const struct socket_owner *owner)
{
	__u32 pid = owner->pid, slot = pid % PROCESS_SLOTS;
	struct process_state *state = bpf_map_lookup_elem(&processes, &slot);

	if (state && state->pid == pid && state->start_ns == owner->start_ns)
		return pid ? state : NULL;
	state = crowd_count ? bpf_map_lookup_elem(&crowd, &pid) : NULL;
	return state && state->start_ns == owner->start_ns ? state : NULL;
}

static __always_inline struct network_entry *network_of_owner(struct sock *sk,
							      const struct socket_owner *owner)
{
	struct process_state *state = state_of_owner(owner);

	return state ? network_of(state, flow_of(sk, true, false)) : NULL;
}

/* Called in the system call that connects or listens. */
static __always_inline void socket_begins(struct sock *sk, bool connects)
{
	struct process_state *state = state_running();
	struct socket_owner *owner;

	if (!state)
		return;
	owner = bpf_sk_storage_get(&socket_owners, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);
	if (!owner)
		return;
	socket_take(owner, state);
	owner->connect_ns = connects ? bpf_ktime_get_boot_ns() : 0;
	owner->reset = false;
}

#define SHUTDOWN_MASK 3 /* include/net/sock.h */

/* The error is set before the state. Without one the program closed the socket, or connect()
 * returns the error (connect_call.bpf.h), or the socket was disconnected, which is not reported. */
static __always_inline void connect_fails(struct sock *sk, const struct socket_owner *owner)
{
	struct connect_failure failure = { .at_ns = bpf_ktime_get_boot_ns(), .error = sk->sk_err };
	struct process_state *state;

	if (!failure.error && sk->sk_shutdown != SHUTDOWN_MASK)
		return;
	state = state_of_owner(owner);
	if (!state)
		return;
	failure.waited_ns = failure.at_ns - owner->connect_ns;
	connect_peer(&failure, sk, true);
	connect_note(state, &failure);
}

/* A socket that connects has the time when it began; an accepted one, a copy of the listener's, has
 * none. */
static __always_inline void handshake_ends(struct sock *sk, bool connected)
{
	struct socket_owner *owner = bpf_sk_storage_get(&socket_owners, sk, NULL, 0);
	struct network_entry *entry;

	if (!owner || (!connected && !owner->connect_ns))
		return;
	entry = network_of_owner(sk, owner);
	if (!entry)
		return;
	if (!connected) {
		__sync_fetch_and_add(&entry->counts.connect_failures, 1);
		connect_fails(sk, owner);
	} else if (!owner->connect_ns) {
		__sync_fetch_and_add(&entry->counts.accepts, 1);
	} else {
		__sync_fetch_and_add(&entry->counts.connects, 1);
		__sync_fetch_and_add(&entry->counts.connect_ns,
				     bpf_ktime_get_boot_ns() - owner->connect_ns);
		(void)peer_of(&entry->peer, sk, true);
	}
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(on_socket_state, struct sock *sk, int before, int now)
{
	if (sk->sk_protocol != IPPROTO_TCP)
		return 0;
	if (now == BPF_TCP_SYN_SENT || now == BPF_TCP_LISTEN)
		socket_begins(sk, now == BPF_TCP_SYN_SENT);
	else if ((before == BPF_TCP_SYN_SENT || before == BPF_TCP_SYN_RECV) &&
		 (now == BPF_TCP_ESTABLISHED || now == BPF_TCP_CLOSE))
		handshake_ends(sk, now == BPF_TCP_ESTABLISHED);
	return 0;
}
