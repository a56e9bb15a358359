/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "probe/abi/wait.h"
#include "probe/bpf/core/core_types.h"

/*
 * The files that a thread polls: their kinds, and which can be read. By reads instead of typed
 * loads, in functions that are not inlined and so verified once.
 */

#define NO_FILE 0xffff

/* Among the files without a path (eventfd, timerfd and similar). */
static __always_inline bool is_timerfd(struct file *file, struct inode *inode)
{
	char name[8] = {};

	if (BPF_CORE_READ(inode, i_sb, s_magic) != ANON_INODE_FS_MAGIC)
		return false;
	bpf_probe_read_kernel(name, sizeof(name), BPF_CORE_READ(file, f_path.dentry, d_name.name));
	return !__builtin_memcmp(name, "[timerfd", sizeof(name));
}

/* enum wait_for. */
__noinline int polled_kind(__u64 address)
{
	struct file *file = (void *)address;
	struct inode *inode = file ? BPF_CORE_READ(file, f_inode) : NULL;

	if (!inode)
		return WAIT_FOR_OTHER;
	switch (BPF_CORE_READ(inode, i_mode) & S_IFMT) {
	case S_IFSOCK:
		return WAIT_FOR_NETWORK;
	case S_IFIFO:
		return WAIT_FOR_PIPE;
	}
	return is_timerfd(file, inode) ? WAIT_FOR_TIMER : WAIT_FOR_OTHER;
}

/* 0: no such descriptor. */
static __always_inline __u64 polled_file(__u64 task, __u32 fd)
{
	struct fdtable *table = BPF_CORE_READ((struct task_struct *)task, files, fdt);
	__u64 address = 0;

	if (fd < NO_FILE && table && fd < BPF_CORE_READ(table, max_fds))
		bpf_probe_read_kernel(&address, sizeof(address), BPF_CORE_READ(table, fd) + fd);
	return address;
}

static __always_inline bool pipe_can_be_read(struct file *file)
{
	struct pipe_inode_info *pipe = BPF_CORE_READ(file, f_inode, i_pipe);

	return BPF_CORE_READ(pipe, head) != BPF_CORE_READ(pipe, tail) ||
	       !BPF_CORE_READ(pipe, writers);
}

static __always_inline bool socket_can_be_read(struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk);

	return BPF_CORE_READ(sk, sk_receive_queue.qlen) || BPF_CORE_READ(sk, sk_shutdown);
}

/* The kind of a file that can be read; 0: it cannot, or that is not known. */
__noinline int polled_ready(__u64 task, __u32 fd)
{
	__u64 address = polled_file(task, fd);
	struct file *file = (void *)address;
	int kind = address ? polled_kind(address) : 0;

	if (kind == WAIT_FOR_PIPE)
		return pipe_can_be_read(file) ? kind : 0;
	return kind == WAIT_FOR_NETWORK && socket_can_be_read(file) ? kind : 0;
}

/* The kind of the first file in the ready list of an epoll; 0: the list is empty. */
__noinline int polled_by_epoll(__u64 task, __u32 fd)
{
	struct file *file = (void *)polled_file(task, fd);
	struct eventpoll *poll = file ? BPF_CORE_READ(file, private_data) : NULL;
	struct list_head *list = (void *)poll + bpf_core_field_offset(struct eventpoll, rdllist);
	struct list_head *first = poll ? BPF_CORE_READ(list, next) : NULL;
	struct epitem *item = (void *)first - bpf_core_field_offset(struct epitem, rdllink);

	return first && first != list ? polled_kind((__u64)BPF_CORE_READ(item, ffd.file)) : 0;
}
