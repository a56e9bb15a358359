/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * What processes moved through sockets, as the kernel side counts it.
 */

/* A way in which bytes move. Those of IPv4 and IPv6 are made of these three bits. */
enum network_flow {
	NETWORK_LOOPBACK = 1, /* to this very host */
	NETWORK_UDP = 2,      /* else TCP */
	NETWORK_INET6 = 4,    /* what is on the wire: IPv4 through an IPv6 socket is IPv4 */
	NETWORK_UNIX_STREAM = 8,
	NETWORK_UNIX_DGRAM, /* and SOCK_SEQPACKET */
	NETWORK_OTHER,      /* raw, netlink, packet, vsock, … */
	NETWORK_FLOWS
};

/* Of one image of a process. Sums that only grow. */
struct network_counts {
	__u64 rx_bytes, tx_bytes;
	__u64 rx_calls, tx_calls;         /* that did not fail */
	__u64 connects, connect_failures; /* TCP: attempts by whether they led to a connection */
	__u64 connect_ns;                 /* of those that did */
	__u64 accepts;                    /* TCP connections that came in */
	__u64 resets;                     /* TCP connections that either side reset */
	__u64 retransmits;                /* TCP: what was sent again */
};

/* Whose and which. */
struct network_key {
	__u32 pid;
	__u32 flow;
	__u64 start_ns;
};

struct network_entry {
	struct network_counts counts;
	__u64 socket;  /* where the one stands that was used last */
	__u32 changed; /* since a record told of it */
	__u32 unused;
};

#define NETWORK_ENTRIES_MAX 32768 /* of all processes together */

/* The same by what matters most; unix and other are not among the first two pairs. */
struct network_sums {
	__u64 rx_bytes, tx_bytes;
	__u64 loopback_rx_bytes, loopback_tx_bytes;
	__u64 unix_rx_bytes, unix_tx_bytes;
	__u64 connects, connect_failures, connect_ns, accepts, resets, retransmits;
};

/* What is kept with a TCP socket, and with a UDP socket that is not connected. */
struct socket_owner {
	__u64 start_ns;   /* whose it is: who connected, listens or used it last */
	__u64 connect_ns; /* when it began to connect (boot-time clock); 0: it did not */
	__u32 pid;
	__u8 reset; /* counted already */
	__u8 peer;  /* enum socket_peer */
	__u16 unused;
};

enum socket_peer { PEER_UNKNOWN, PEER_REMOTE, PEER_LOOPBACK };
