/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/network.h"
#include "probe/bpf/core/core_types.h"

/* Whether an address is this host itself. */

#define AF_UNIX  1 /* include/linux/socket.h */
#define AF_INET  2
#define AF_INET6 10

const volatile __s64 call_sendto, call_sendmsg, call_sendmmsg; /* system call numbers */

/* 127.0.0.0/8, or the local address itself. */
static __always_inline bool is_loopback(__u32 remote, __u32 local)
{
	return (remote & bpf_htonl(0xff000000)) == bpf_htonl(0x7f000000) ||
	       (remote && remote == local);
}

static __always_inline bool is_mapped(const __u32 *address)
{
	return !address[0] && !address[1] && address[2] == bpf_htonl(0xffff);
}

static __always_inline bool is_one(const __u32 *address)
{
	return !address[0] && !address[1] && !address[2] && address[3] == bpf_htonl(1);
}

/* Where the thread's system call sends to, for a socket that is not connected. */
static __always_inline __u32 peer_named(struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct {
		__u16 family, port;
		__u32 v4; /* sockaddr_in6: flowinfo */
		__u32 v6[4];
	} name = {};
	__s64 call = PT_CALL(regs);
	void *at = NULL;

	if (IS_32_BIT(task))
		return PEER_UNKNOWN;
	if (call == call_sendto)
		at = (void *)PT_FIFTH(regs);
	else if (call == call_sendmsg || call == call_sendmmsg) /* address of the first message */
		bpf_probe_read_user(&at, sizeof(at), (void *)PT_SECOND(regs));
	if (!at || bpf_probe_read_user(&name, 8, at))
		return PEER_UNKNOWN;
	if (name.family == AF_INET)
		return is_loopback(name.v4, 0) ? PEER_LOOPBACK : PEER_REMOTE;
	if (name.family != AF_INET6 || bpf_probe_read_user(&name, sizeof(name), at))
		return PEER_UNKNOWN;
	if (is_one(name.v6) || (is_mapped(name.v6) && is_loopback(name.v6[3], 0)))
		return PEER_LOOPBACK;
	return PEER_REMOTE;
}
