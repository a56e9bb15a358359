/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/network.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/net/address.bpf.h"
#include "probe/bpf/net/socket.bpf.h"

/* The other end of a socket. Returns whether it is of IPv6: IPv4 through an IPv6 socket is IPv4. */
static __always_inline bool peer_of(struct network_peer *ret, struct sock *sk, bool typed)
{
	__u32 remote[4] = { 0 };

	ret->known = 1;
	ret->port = bpf_ntohs(SOCK_READ(sk, typed, __sk_common.skc_dport));
	ret->address[0] = SOCK_READ(sk, typed, __sk_common.skc_daddr);
	if (SOCK_READ(sk, typed, __sk_common.skc_family) != AF_INET6)
		return false;
	for (int i = 0; i < 4; i++)
		remote[i] = SOCK_V6(sk, typed, skc_v6_daddr, i);
	if (is_mapped(remote)) {
		ret->address[0] = remote[3];
		return false;
	}
	__builtin_memcpy(ret->address, remote, sizeof(remote));
	return true;
}
