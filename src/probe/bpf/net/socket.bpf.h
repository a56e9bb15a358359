/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/in.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/network.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/net/address.bpf.h"
#include "probe/bpf/net/socket_owner.bpf.h"

/* The kind of traffic of a socket. */

#define SOCK_STREAM 1 /* include/linux/net.h */

/* typed: sk is a typed pointer; otherwise (in a kprobe) an address to read from. */
#define SOCK_READ(sk, typed, field)  ((typed) ? (sk)->field : BPF_CORE_READ(sk, field))
#define SOCK_V6(sk, typed, which, i) SOCK_READ(sk, typed, __sk_common.which.in6_u.u6_addr32[i])
#define SOCK_V6_ALL(sk, typed, which)                                               \
	{                                                                           \
		SOCK_V6(sk, typed, which, 0), SOCK_V6(sk, typed, which, 1),         \
			SOCK_V6(sk, typed, which, 2), SOCK_V6(sk, typed, which, 3), \
	}

/* By the addresses that the socket is connected to and bound to. *ret_peer: PEER_UNKNOWN if it is
 * not connected. */
static __always_inline __u32 flow_of_inet6(struct sock *sk, bool typed, __u32 flow, __u32 *ret_peer)
{
	__u32 remote[4] = SOCK_V6_ALL(sk, typed, skc_v6_daddr);
	__u32 local[4] = SOCK_V6_ALL(sk, typed, skc_v6_rcv_saddr);
	bool none = !(remote[0] | remote[1] | remote[2] | remote[3]);

	if (is_mapped(remote))
		return is_loopback(remote[3], local[3]) ? flow | NETWORK_LOOPBACK : flow;
	flow |= NETWORK_INET6;
	*ret_peer = none ? PEER_UNKNOWN : PEER_REMOTE;
	if (none ? is_one(local)
		 : is_one(remote) || (remote[0] == local[0] && remote[1] == local[1] &&
				      remote[2] == local[2] && remote[3] == local[3]))
		flow |= NETWORK_LOOPBACK;
	return flow;
}

static __always_inline __u32 flow_of_inet4(struct sock *sk, bool typed, __u32 flow, __u32 *ret_peer)
{
	__u32 remote = SOCK_READ(sk, typed, __sk_common.skc_daddr);
	__u32 local = SOCK_READ(sk, typed, __sk_common.skc_rcv_saddr);

	*ret_peer = remote ? PEER_REMOTE : PEER_UNKNOWN;
	return is_loopback(remote ? remote : local, local && remote ? local : 0)
		       ? flow | NETWORK_LOOPBACK
		       : flow;
}

/* A UDP socket that is not connected and not bound to loopback is classified by the peer that it
 * last sent to, also for what it receives. */
static __always_inline __u32 flow_of_peer(struct sock *sk, bool typed, __u32 flow, bool sent)
{
	__u32 peer = sent ? peer_named(bpf_get_current_task_btf()) : PEER_UNKNOWN;

	peer = typed ? peer_typed(sk, peer) : peer_untyped(sk, peer);
	return peer == PEER_LOOPBACK ? flow | NETWORK_LOOPBACK : flow;
}

/* sent: the running thread sends through it now. */
static __always_inline __u32 flow_of(struct sock *sk, bool typed, bool sent)
{
	__u32 family = SOCK_READ(sk, typed, __sk_common.skc_family);
	__u32 type = SOCK_READ(sk, typed, sk_type), protocol = SOCK_READ(sk, typed, sk_protocol);
	__u32 flow, peer = PEER_REMOTE;

	if (family == AF_UNIX)
		return type == SOCK_STREAM ? NETWORK_UNIX_STREAM : NETWORK_UNIX_DGRAM;
	if (family != AF_INET && family != AF_INET6)
		return NETWORK_OTHER;
	if (protocol != IPPROTO_TCP && protocol != IPPROTO_MPTCP && protocol != IPPROTO_UDP)
		return NETWORK_OTHER;
	flow = protocol == IPPROTO_UDP ? NETWORK_UDP : 0;
	flow = family == AF_INET6 ? flow_of_inet6(sk, typed, flow, &peer)
				  : flow_of_inet4(sk, typed, flow, &peer);
	if (peer == PEER_UNKNOWN && flow & NETWORK_UDP && !(flow & NETWORK_LOOPBACK))
		return flow_of_peer(sk, typed, flow, sent);
	return flow;
}
