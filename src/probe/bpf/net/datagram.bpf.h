/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/in.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/connect.h"
#include "probe/abi/process_state.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/net/connect.bpf.h"
#include "probe/bpf/net/socket.bpf.h"

/* Datagrams that the peer's host refuses. */

/* The host of a connected UDP socket's peer answered that no socket has that port. */
static __always_inline int datagram_refused(struct process_state *state, struct sock *sk,
					    bool typed)
{
	struct connect_failure failure = { .error = ECONNREFUSED, .udp = 1 };

	if (SOCK_READ(sk, typed, sk_protocol) != IPPROTO_UDP)
		return 0;
	failure.at_ns = bpf_ktime_get_boot_ns();
	connect_peer(&failure, sk, typed);
	return failure.port ? connect_note(state, &failure) : 0;
}
