/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/procfs/tcp_table.h"

/*
 * A socket by its inode, and the one at its other end. TCP: from the tables of the process's own
 * network namespace, where the peer is the socket with both addresses swapped. UNIX: the kernel is
 * asked (sock_diag(7)); it answers for the agent's own network namespace only.
 */
struct stall_socket {
	bool serves;     /* it listens, or was accepted: it waits for clients by design */
	bool tcp;        /* else UNIX */
	bool accepted;   /* of peer: false: it still waits in the queue of the socket `peer` */
	uint64_t peer;   /* the inode at the other end; 0: not on this host, or not known */
	char remote[64]; /* TCP: "10.0.0.7:443"; else empty */
};

/* tcp: of the process's network namespace. false: neither of both, or not found. */
bool stall_socket_find(struct tcp_table *tcp, uint64_t inode, struct stall_socket *ret);
