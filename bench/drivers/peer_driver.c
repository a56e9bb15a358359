/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for a peer that is on another host as this one sees it, and writes down how long
 * (waited.h).
 *
 *     peer_driver ROUNDS NAMESPACE/ADDRESS     each way, ROUNDS times; the peer is in that network
 *                                              namespace, which has this IPv4 address
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "waited.h"

#define SENT_BYTES (16u << 20) /* more than the two ends' buffers take (tcp_rmem, tcp_wmem) */

static long long before; /* it waited for the peer: to connect is to wait as well */
static struct sockaddr_in peer = { .sin_family = AF_INET };

static void take(int fd)
{
	static char bytes[65536];

	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
}

/* Connects to what `help` serves after WAIT_MS. */
static int connection(const char *place, void (*help)(int fd))
{
	const char *slash = strchr(place, '/');
	socklen_t size = sizeof(peer);
	char path[256];
	int ports[2], server, fd = socket(AF_INET, SOCK_STREAM, 0);

	need(slash && inet_pton(AF_INET, slash + 1, &peer.sin_addr) == 1, place);
	need(!pipe(ports), "pipe");
	if (!fork()) {
		need(!prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
		close(fd);
		snprintf(path, sizeof(path), "/run/netns/%.*s", (int)(slash - place), place);
		need(!setns(open(path, O_RDONLY), CLONE_NEWNET), path);
		server = socket(AF_INET, SOCK_STREAM, 0);
		need(!bind(server, (void *)&peer, size) && !listen(server, 1) &&
			     !getsockname(server, (void *)&peer, &size),
		     "serve");
		need(write(ports[1], &peer.sin_port, sizeof(peer.sin_port)) > 0, "write");
		server = accept(server, NULL, NULL);
		until_it_waits(getppid());
		help(server);
		_exit(0);
	}
	need(read(ports[0], &peer.sin_port, sizeof(peer.sin_port)) > 0, "read");
	before = off_cpu_ns();
	need(!connect(fd, (void *)&peer, size), "connect");
	return fd;
}

static long long receives(const char *place)
{
	char byte;
	int fd = connection(place, feed);

	need(recv(fd, &byte, 1, 0) == 1, "recv");
	return off_cpu_ns() - before;
}

static long long sends(const char *place)
{
	static char bytes[SENT_BYTES];
	int fd = connection(place, take);

	need(send(fd, bytes, sizeof(bytes), 0) == sizeof(bytes), "send");
	return off_cpu_ns() - before;
}

static const struct way ways[] = {
	{ "recv_far", "network", receives },
	{ "send_far", "network", sends },
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

int main(int argc, char **argv)
{
	return waited_main(argc, argv, ways, WAYS, 0);
}
