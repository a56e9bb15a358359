/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stall/stall_socket.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"

#define LISTENS 10 /* TCP_LISTEN of net/tcp_states.h, of UNIX sockets, too */

struct own {
	uint64_t inode;
	struct tcp_line line;
	bool found;
};

static void look_for_own(const struct tcp_line *line, void *context)
{
	struct own *own = context;

	if (line->inode != own->inode)
		return;
	own->line = *line;
	own->found = true;
}

struct peers {
	const struct tcp_line *own;
	struct stall_socket *socket;
	bool mirrored;     /* the other end is on this host */
	uint64_t listener; /* at its port */
};

static bool same(const struct tcp_endpoint *one, const struct tcp_endpoint *other)
{
	return one->port == other->port &&
	       memcmp(one->address, other->address, sizeof(one->address)) == 0;
}

static void look_for_peer(const struct tcp_line *line, void *context)
{
	struct peers *peers = context;
	const struct tcp_line *own = peers->own;

	if (line->state == LISTENS) {
		peers->socket->serves |= line->local.port == own->local.port;
		if (line->local.port == own->remote.port)
			peers->listener = line->inode;
	} else if (same(&line->local, &own->remote) && same(&line->remote, &own->local)) {
		peers->mirrored = true;
		peers->socket->peer = line->inode;
	}
}

static void write_remote(const struct tcp_endpoint *remote, char *text, size_t size)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	bool is_v4 = memcmp(remote->address, mapped, sizeof(mapped)) == 0;
	char address[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(is_v4 ? AF_INET : AF_INET6, remote->address + (is_v4 ? 12 : 0), address,
			sizeof(address));
	(void)snprintf(text, size, is_v4 ? "%s:%u" : "[%s]:%u", address, remote->port);
}

static bool find_tcp(struct tcp_table *table, uint64_t inode, struct stall_socket *ret)
{
	struct own own = { .inode = inode };
	struct peers peers = { .own = &own.line, .socket = ret };

	tcp_table_visit(table, look_for_own, &own);
	if (!own.found)
		return false;
	ret->tcp = true;
	if (own.line.state == LISTENS) {
		ret->serves = true;
		return true;
	}
	write_remote(&own.line.remote, ret->remote, sizeof(ret->remote));
	tcp_table_visit(table, look_for_peer, &peers);
	ret->accepted = ret->peer;
	/* It was not accepted yet: it has no inode. */
	if (peers.mirrored && !ret->peer)
		ret->peer = peers.listener;
	return true;
}

static ssize_t ask_unix(uint32_t inode, void *answer, size_t size)
{
	struct {
		struct nlmsghdr header;
		struct unix_diag_req body;
	} request = { .header = { .nlmsg_len = sizeof(request),
				  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
				  .nlmsg_flags = NLM_F_REQUEST },
		      .body = { .sdiag_family = AF_UNIX,
				.udiag_states = UINT32_MAX,
				.udiag_ino = inode,
				.udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER,
				.udiag_cookie = { UINT32_MAX, UINT32_MAX } } };
	CLEANUP(closep)
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);

	if (fd < 0 || send(fd, &request, sizeof(request), 0) < 0)
		return -1;
	return recv(fd, answer, size, 0); /* the answer came within send */
}

static bool find_unix(uint64_t inode, struct stall_socket *ret)
{
	_Alignas(struct nlmsghdr) char answer[1024];
	const struct nlmsghdr *header = (const struct nlmsghdr *)answer;
	ssize_t len = inode <= UINT32_MAX ? ask_unix((uint32_t)inode, answer, sizeof(answer)) : -1;
	const struct unix_diag_msg *body = NLMSG_DATA(header);
	const struct rtattr *part;
	size_t rest;

	if (len < (ssize_t)NLMSG_LENGTH(sizeof(*body)) || !NLMSG_OK(header, (size_t)len) ||
	    header->nlmsg_type != SOCK_DIAG_BY_FAMILY || body->udiag_ino != inode)
		return false;
	ret->serves = body->udiag_state == LISTENS;
	part = (const struct rtattr *)((const char *)body + NLMSG_ALIGN(sizeof(*body)));
	rest = NLMSG_PAYLOAD(header, sizeof(*body));
	for (; RTA_OK(part, rest); part = RTA_NEXT(part, rest)) {
		/* An accepted socket has the name of the one that listened. A client has none, or
		 * one that the kernel made: a NUL and five digits (unix(7), autobind). */
		if (part->rta_type == UNIX_DIAG_NAME)
			ret->serves |= RTA_PAYLOAD(part) != 6 || *(const char *)RTA_DATA(part);
		else if (part->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(part) >= sizeof(uint32_t))
			ret->peer = *(const uint32_t *)RTA_DATA(part);
	}
	ret->accepted = true;
	return true;
}

bool stall_socket_find(struct tcp_table *tcp, uint64_t inode, struct stall_socket *ret)
{
	*ret = (struct stall_socket){ 0 };
	return find_unix(inode, ret) || find_tcp(tcp, inode, ret);
}
