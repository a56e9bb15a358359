/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/network.h"
#include "probe/bpf/core/core_types.h"

/* What is kept for each socket: the process that owns it, and its last peer. */

/* Stored with the socket; an accepted socket begins with a copy of the listener's. */
struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_CLONE);
	__type(key, int);
	__type(value, struct socket_owner);
} socket_owners SEC(".maps");

/* For untyped sockets, which have no storage of their own. An address is reused, with another
 * inode. */
struct socket_name {
	__u64 address, inode;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, struct socket_name);
	__type(value, __u32); /* enum socket_peer */
} socket_peers SEC(".maps");

static __always_inline __u32 peer_typed(struct sock *sk, __u32 peer)
{
	struct socket_owner *owner = bpf_sk_storage_get(
		&socket_owners, sk, NULL, peer == PEER_UNKNOWN ? 0 : BPF_SK_STORAGE_GET_F_CREATE);

	if (owner && peer != PEER_UNKNOWN)
		owner->peer = peer;
	return owner ? owner->peer : PEER_UNKNOWN;
}

static __always_inline __u32 peer_untyped(struct sock *sk, __u32 peer)
{
	struct socket_name name = { (__u64)sk, BPF_CORE_READ(sk, sk_socket, file, f_inode, i_ino) };
	const __u32 *known = bpf_map_lookup_elem(&socket_peers, &name);

	if (peer != PEER_UNKNOWN && (!known || *known != peer))
		bpf_map_update_elem(&socket_peers, &name, &peer, BPF_ANY);
	return peer != PEER_UNKNOWN || !known ? peer : *known;
}
