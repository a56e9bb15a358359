/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/network.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/net/connection.bpf.h"
#include "probe/bpf/net/socket_owner.bpf.h"

/* TCP connections that either side resets. */

/* sk may be NULL or a request socket; the helper handles both. A connection is reset once, however
 * many segments say so; a refused one does not count. */
static __always_inline int connection_reset(struct sock *sk)
{
	struct socket_owner *owner = bpf_sk_storage_get(&socket_owners, sk, NULL, 0);
	struct network_entry *entry;
	__u32 state;

	if (!owner || owner->reset)
		return 0;
	state = sk->__sk_common.skc_state;
	if (state == BPF_TCP_SYN_SENT || state == BPF_TCP_SYN_RECV || state == BPF_TCP_LISTEN)
		return 0;
	owner->reset = true;
	entry = network_of_owner(sk, owner);
	if (entry)
		__sync_fetch_and_add(&entry->counts.resets, 1);
	return 0;
}

SEC("tp_btf/tcp_send_reset")
int BPF_PROG(on_reset_sent, struct sock *sk)
{
	return sk ? connection_reset(sk) : 0;
}

SEC("tp_btf/tcp_receive_reset")
int BPF_PROG(on_reset_received, struct sock *sk)
{
	return connection_reset(sk);
}
