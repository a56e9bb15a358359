/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/network.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/net/connection.bpf.h"
#include "probe/bpf/net/socket_owner.bpf.h"

/* TCP retransmissions. */

static __always_inline int connection_resent(struct sock *sk)
{
	struct socket_owner *owner = bpf_sk_storage_get(&socket_owners, sk, NULL, 0);
	struct network_entry *entry = owner ? network_of_owner(sk, owner) : NULL;

	if (entry)
		__sync_fetch_and_add(&entry->counts.retransmits, 1);
	return 0;
}

SEC("tp_btf/tcp_retransmit_skb")
int BPF_PROG(on_retransmit, struct sock *sk, struct sk_buff *skb, int error)
{
	return error ? 0 : connection_resent(sk);
}

/* Before 6.16, which added failed retransmissions and the error. */
SEC("tp_btf/tcp_retransmit_skb")
int BPF_PROG(on_retransmit_of_two, struct sock *sk)
{
	return connection_resent(sk);
}
