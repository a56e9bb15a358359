#include "collect/stall_socket.h"

#include <arpa/inet.h>
#include <inttypes.h>
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
#include "collect/fields.h"

#define LISTENS    10 /* TCP_LISTEN of net/tcp_states.h, of UNIX sockets, too */
#define TIME_WAITS 6  /* TCP_TIME_WAIT */

struct endpoint {
	uint8_t address[16]; /* IPv4 as ::ffff:a.b.c.d */
	uint16_t port;
};

struct stall_line {
	struct endpoint local, remote;
	unsigned long state;
	uint64_t inode;
};

/* "0100007F:1F90": words of 32 bits as they lie in memory, in hex. */
static bool read_endpoint(const char *word, struct endpoint *ret)
{
	size_t len = strcspn(word, ":");

	if (word[len] != ':' || (len != 8 && len != 32))
		return false;
	*ret = (struct endpoint){ .address = { [10] = 0xff, [11] = 0xff } };
	for (size_t i = 0; i < len; i += 8) {
		char digits[9] = "";
		uint32_t part;

		memcpy(digits, word + i, 8);
		part = (uint32_t)strtoul(digits, NULL, 16);
		memcpy(ret->address + (len == 8 ? 12 : i / 2), &part, 4);
	}
	ret->port = (uint16_t)strtoul(word + len + 1, NULL, 16);
	return true;
}

/* sl local_address rem_address st queues timer retrnsmt uid timeout inode … (proc(5)). */
static bool read_line(const char *text, struct stall_line *ret)
{
	char local[48], remote[48], state[8];

	if (!fields_skip(&text, 1) || !fields_word(&text, local, sizeof(local)) ||
	    !fields_word(&text, remote, sizeof(remote)) ||
	    !fields_word(&text, state, sizeof(state)) || !read_endpoint(local, &ret->local) ||
	    !read_endpoint(remote, &ret->remote))
		return false;
	ret->state = strtoul(state, NULL, 16);
	return fields_skip(&text, 5) && fields_u64(&text, &ret->inode);
}

/* Those that are gone wait for late packets: nobody's any more, and often most of the table. */
static bool add(struct stall_sockets *sockets, const struct stall_line *line)
{
	struct stall_line *more;

	if (line->state == TIME_WAITS)
		return true;
	if (sockets->count == sockets->room) {
		size_t room = sockets->room ? 2 * sockets->room : 64;

		more = realloc(sockets->lines, room * sizeof(*more));
		if (!more)
			return false;
		sockets->lines = more;
		sockets->room = room;
	}
	sockets->lines[sockets->count++] = *line;
	return true;
}

/* The tables, once: a process may poll for many. */
static void read_tcp(struct stall_sockets *sockets)
{
	if (sockets->read)
		return;
	sockets->read = true;
	for (const char *const *name = (const char *const[]){ "tcp", "tcp6", NULL }; *name;
	     name++) {
		char path[64], text[512];
		CLEANUP(fclosep) FILE *file = NULL;
		struct stall_line line;

		(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/net/%s", sockets->pid, *name);
		file = fopen(path, "re");
		for (; file && *sockets->left && fgets(text, sizeof(text), file); --*sockets->left)
			if (read_line(text, &line) && !add(sockets, &line))
				return;
	}
}

static void visit_tcp(struct stall_sockets *sockets,
		      void (*visit)(const struct stall_line *, void *), void *context)
{
	read_tcp(sockets);
	for (size_t i = 0; i < sockets->count; i++)
		visit(&sockets->lines[i], context);
}

struct own {
	uint64_t inode;
	struct stall_line line;
	bool found;
};

static void look_for_own(const struct stall_line *line, void *context)
{
	struct own *own = context;

	if (line->inode != own->inode)
		return;
	own->line = *line;
	own->found = true;
}

struct peers {
	const struct stall_line *own;
	struct stall_socket *socket;
	bool mirrored;     /* the other end is on this host */
	uint64_t listener; /* at its port */
};

static bool same(const struct endpoint *one, const struct endpoint *other)
{
	return one->port == other->port &&
	       memcmp(one->address, other->address, sizeof(one->address)) == 0;
}

static void look_for_peer(const struct stall_line *line, void *context)
{
	struct peers *peers = context;
	const struct stall_line *own = peers->own;

	if (line->state == LISTENS) {
		peers->socket->serves |= line->local.port == own->local.port;
		if (line->local.port == own->remote.port)
			peers->listener = line->inode;
	} else if (same(&line->local, &own->remote) && same(&line->remote, &own->local)) {
		peers->mirrored = true;
		peers->socket->peer = line->inode;
	}
}

static void write_remote(const struct endpoint *remote, char *text, size_t size)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	bool is_v4 = memcmp(remote->address, mapped, sizeof(mapped)) == 0;
	char address[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(is_v4 ? AF_INET : AF_INET6, remote->address + (is_v4 ? 12 : 0), address,
			sizeof(address));
	(void)snprintf(text, size, is_v4 ? "%s:%u" : "[%s]:%u", address, remote->port);
}

static bool find_tcp(struct stall_sockets *sockets, uint64_t inode, struct stall_socket *ret)
{
	struct own own = { .inode = inode };
	struct peers peers = { .own = &own.line, .socket = ret };

	visit_tcp(sockets, look_for_own, &own);
	if (!own.found)
		return false;
	ret->tcp = true;
	if (own.line.state == LISTENS) {
		ret->serves = true;
		return true;
	}
	write_remote(&own.line.remote, ret->remote, sizeof(ret->remote));
	visit_tcp(sockets, look_for_peer, &peers);
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
		/* Who is accepted bears the name of who listened. A client has none, or one that
		 * the kernel made: a NUL and five digits (unix(7), autobind). */
		if (part->rta_type == UNIX_DIAG_NAME)
			ret->serves |= RTA_PAYLOAD(part) != 6 || *(const char *)RTA_DATA(part);
		else if (part->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(part) >= sizeof(uint32_t))
			ret->peer = *(const uint32_t *)RTA_DATA(part);
	}
	ret->accepted = true;
	return true;
}

bool stall_socket_find(struct stall_sockets *sockets, uint64_t inode, struct stall_socket *ret)
{
	*ret = (struct stall_socket){ 0 };
	return find_unix(inode, ret) || find_tcp(sockets, inode, ret);
}

void stall_sockets_free(struct stall_sockets *sockets)
{
	free(sockets->lines);
}
