/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * The bytes and connections of processes through sockets, as the kernel side counts them.
 */

/* A kind of traffic. The kinds of IPv4 and IPv6 are combinations of the first three bits. */
enum network_flow {
	NETWORK_LOOPBACK = 1, /* with this host itself */
	NETWORK_UDP = 2,      /* else TCP */
	NETWORK_INET6 = 4,    /* by the packets: IPv4 through an IPv6 socket is IPv4 */
	NETWORK_UNIX_STREAM = 8,
	NETWORK_UNIX_DGRAM, /* and SOCK_SEQPACKET */
	NETWORK_OTHER,      /* raw, netlink, packet, vsock, … */
	NETWORK_FLOWS
};

/* The counts of one image of a process; they only grow. */
struct network_counts {
	__u64 rx_bytes, tx_bytes;
	__u64 rx_calls, tx_calls;         /* that did not fail */
	__u64 connects, connect_failures; /* TCP: attempts that succeeded, that failed */
	__u64 connect_ns;                 /* of those that succeeded */
	__u64 accepts;                    /* incoming TCP connections */
	__u64 resets;                     /* TCP connections that either side reset */
	__u64 retransmits;                /* TCP retransmissions */
};

/* The other end of a TCP connection. Two that are made at the same time may leave the address of
 * the one with the port of the other: this is not worth a lock. */
struct network_peer {
	__u32 address[4]; /* big-endian; IPv4: the first alone */
	__u16 port;
	__u16 known; /* 0: there was none */
};

/* A process and a kind of traffic. */
struct network_key {
	__u32 pid;
	__u32 flow;
	__u64 start_ns;
};

struct network_entry {
	struct network_counts counts;
	__u64 socket;             /* address of the socket used last */
	struct network_peer peer; /* of the last connection that it made */
	__u32 changed;            /* since the last record */
};

#define NETWORK_ENTRIES_MAX 32768 /* of all processes together */

/* The counts summed over all kinds of traffic. The first pair is traffic with other hosts, without
 * UNIX and other sockets. */
struct network_sums {
	__u64 rx_bytes, tx_bytes;
	__u64 loopback_rx_bytes, loopback_tx_bytes;
	__u64 unix_rx_bytes, unix_tx_bytes;
	__u64 connects, connect_failures, connect_ns, accepts, resets, retransmits;
};

/* What the kernel side stores for a TCP socket, and for a UDP socket that is not connected. */
struct socket_owner {
	__u64 start_ns;   /* of the process that connected, listens or used it last */
	__u64 connect_ns; /* when it began to connect (boot-time clock); 0: never */
	__u32 pid;
	__u8 reset; /* its reset was counted */
	__u8 peer;  /* enum socket_peer */
	__u16 unused;
};

enum socket_peer { PEER_UNKNOWN, PEER_REMOTE, PEER_LOOPBACK };
