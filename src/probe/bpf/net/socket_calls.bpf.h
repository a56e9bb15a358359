/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/bpf/core/core_types.h"
#include "probe/bpf/net/traffic.bpf.h"

/*
 * Bytes through sockets before 6.3, which added sock_send_length and sock_recv_length: at the
 * return of each protocol family's functions, which are called by pointer and so never inlined.
 * Other families are not seen.
 */

SEC("fexit/inet_sendmsg")
int BPF_PROG(on_inet_send, struct socket *socket, struct msghdr *message, __u64 size, int moved)
{
	return network_moved(socket->sk, moved, true);
}

SEC("fexit/inet6_sendmsg")
int BPF_PROG(on_inet6_send, struct socket *socket, struct msghdr *message, __u64 size, int moved)
{
	return network_moved(socket->sk, moved, true);
}

/* sendfile(2), splice(2) to a socket, before 6.5. */
SEC("fexit/inet_sendpage")
int BPF_PROG(on_inet_sendpage, struct socket *socket, struct page *page, int offset, __u64 size,
	     int flags, __s64 moved)
{
	return network_moved(socket->sk, moved, true);
}

SEC("fexit/unix_stream_sendpage")
int BPF_PROG(on_stream_sendpage, struct socket *socket, struct page *page, int offset, __u64 size,
	     int flags, __s64 moved)
{
	return network_moved(socket->sk, moved, true);
}

SEC("fexit/inet_recvmsg")
int BPF_PROG(on_inet_receive, struct socket *socket, struct msghdr *message, __u64 size, int flags,
	     int moved)
{
	return flags & MSG_PEEK ? 0 : network_moved(socket->sk, moved, false);
}

SEC("fexit/inet6_recvmsg")
int BPF_PROG(on_inet6_receive, struct socket *socket, struct msghdr *message, __u64 size, int flags,
	     int moved)
{
	return flags & MSG_PEEK ? 0 : network_moved(socket->sk, moved, false);
}

SEC("fexit/unix_stream_sendmsg")
int BPF_PROG(on_stream_send, struct socket *socket, struct msghdr *message, __u64 size, int moved)
{
	return network_moved(socket->sk, moved, true);
}

SEC("fexit/unix_stream_recvmsg")
int BPF_PROG(on_stream_receive, struct socket *socket, struct msghdr *message, __u64 size,
	     int flags, int moved)
{
	return flags & MSG_PEEK ? 0 : network_moved(socket->sk, moved, false);
}

SEC("fexit/unix_dgram_sendmsg")
int BPF_PROG(on_dgram_send, struct socket *socket, struct msghdr *message, __u64 size, int moved)
{
	return network_moved(socket->sk, moved, true);
}

SEC("fexit/unix_dgram_recvmsg")
int BPF_PROG(on_dgram_receive, struct socket *socket, struct msghdr *message, __u64 size, int flags,
	     int moved)
{
	return flags & MSG_PEEK ? 0 : network_moved(socket->sk, moved, false);
}
