/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/in.h>
#include <linux/stat.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "probe/abi/connect.h"
#include "probe/bpf/core/core_types.h"
#include "probe/bpf/core/current.bpf.h"
#include "probe/bpf/core/task_rdonly.bpf.h"
#include "probe/bpf/net/address.bpf.h"
#include "probe/bpf/net/connect.bpf.h"
#include "probe/bpf/wait/inode.bpf.h"

/*
 * TCP connections that the host itself refuses, before any packet is sent: no route, no local
 * address or port, forbidden. The socket does not keep these errors: they are what connect()
 * returns.
 */

/* sockaddr_in, sockaddr_in6 */
struct connect_name {
	__u16 family, port;
	__u32 v4; /* sockaddr_in6: flowinfo */
	__u32 v6[4];
};

static __always_inline bool is_of_host(__s64 error)
{
	return error == -ENETUNREACH || error == -EHOSTUNREACH || error == -EADDRNOTAVAIL ||
	       error == -ENETDOWN || error == -EACCES || error == -EPERM;
}

/* name.family is set. */
static __always_inline int connect_refused(struct process_state *state,
					   const struct connect_name *name, __s64 error)
{
	struct connect_failure failure = { .at_ns = bpf_ktime_get_boot_ns(),
					   .port = bpf_ntohs(name->port),
					   .error = -error };

	if (name->family == AF_INET) {
		failure.address[0] = name->v4;
	} else if (is_mapped(name->v6)) {
		failure.address[0] = name->v6[3];
	} else {
		failure.inet6 = 1;
		__builtin_memcpy(failure.address, name->v6, sizeof(failure.address));
	}
	return connect_note(state, &failure);
}

static __always_inline bool is_tcp(__u32 protocol)
{
	return protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP;
}

static __always_inline bool is_inet(const struct connect_name *name)
{
	return name->family == AF_INET || name->family == AF_INET6;
}

SEC("fexit/inet_stream_connect")
int BPF_PROG(on_connect, struct socket *socket, const void *at, int len, int flags, int error)
{
	struct connect_name name = {};
	struct process_state *state;

	if (!is_of_host(error) || !is_tcp(socket->sk->sk_protocol))
		return 0;
	state = state_running();
	if (!state || bpf_probe_read_kernel(&name, sizeof(name), at) || !is_inet(&name))
		return 0;
	return connect_refused(state, &name, error);
}

/* NULL: the descriptor is no socket. */
static __always_inline struct sock *sock_of(struct task_struct *task, __u64 fd)
{
	struct file *file = file_of(task, fd);
	struct socket *socket;

	if (!file || !is_kind(inode_of(task, fd), S_IFSOCK))
		return NULL;
	socket = BPF_CORE_READ(file, private_data);
	return BPF_CORE_READ(socket, sk);
}

/* For kernels without fexit: at the tracepoint of the system call (tracefs.h). */
SEC("tracepoint")
int on_connect_exit(struct syscall_exit *call)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct connect_name name = {};
	struct process_state *state;
	struct pt_regs *regs;
	struct sock *sk;

	if (!is_of_host(call->error) || IS_32_BIT(task))
		return 0;
	state = state_of_caller(task_rdonly(task));
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	sk = state ? sock_of(task, PT_FIRST(regs)) : NULL;
	if (!sk || !is_tcp(BPF_CORE_READ(sk, sk_protocol)))
		return 0;
	/* An IPv4 address may be the last thing in its page. */
	if (bpf_probe_read_user(&name, 8, (void *)PT_SECOND(regs)) || !is_inet(&name))
		return 0;
	if (name.family == AF_INET6 &&
	    bpf_probe_read_user(&name, sizeof(name), (void *)PT_SECOND(regs)))
		return 0;
	return connect_refused(state, &name, call->error);
}
