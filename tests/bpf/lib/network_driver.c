/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves known bytes through sockets: network_driver SCENARIO [ARGUMENT…]. Each process that moved
 * bytes writes a line: "pid rx_bytes tx_bytes rx_calls tx_calls". Ends with code 0; otherwise
 * stderr says why.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;
static unsigned long rx_bytes, tx_bytes, rx_calls, tx_calls;

static void need(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "network_driver: %s: %s\n", what, strerror(errno));
	_exit(99);
}

static void tell(void)
{
	printf("%d %lu %lu %lu %lu\n", getpid(), rx_bytes, tx_bytes, rx_calls, tx_calls);
	fflush(stdout);
	rx_bytes = tx_bytes = rx_calls = tx_calls = 0;
}

static void join(pid_t pid)
{
	int status;

	need(waitpid(pid, &status, 0) == pid && !status, "child");
}

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un path;
};

/* inet, inet6, mapped (IPv4 through an IPv6 socket), unix; the name of a UNIX socket is abstract.
 */
static socklen_t address_of(const char *family, union address *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!strcmp(family, "unix")) {
		ret->path.sun_family = AF_UNIX;
		return sizeof(sa_family_t); /* the kernel gives a name */
	}
	if (!strcmp(family, "inet")) {
		ret->v4.sin_family = AF_INET;
		ret->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(ret->v4);
	}
	ret->v6.sin6_family = AF_INET6;
	ret->v6.sin6_addr = in6addr_loopback;
	if (!strcmp(family, "mapped"))
		memcpy(&ret->v6.sin6_addr, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x7f\0\0\1", 16);
	return sizeof(ret->v6);
}

static int bound(int type, union address *at, socklen_t *len)
{
	int fd = socket(at->any.sa_family, type | SOCK_CLOEXEC, 0);

	need(fd >= 0, "socket");
	need(!bind(fd, &at->any, *len), "bind");
	*len = sizeof(*at);
	need(!getsockname(fd, &at->any, len), "getsockname");
	return fd;
}

/* Writes 4,093 bytes at a time, and the rest. */
static void give(int fd, unsigned long bytes)
{
	static char data[4093];

	while (bytes) {
		ssize_t n = write(fd, data, bytes < sizeof(data) ? bytes : sizeof(data));

		need(n > 0, "write");
		bytes -= (unsigned long)n;
		tx_bytes += (unsigned long)n;
		tx_calls++;
	}
}

static void take(int fd, unsigned long bytes)
{
	static char data[65536];

	while (bytes) {
		ssize_t n = read(fd, data, bytes < sizeof(data) ? bytes : sizeof(data));

		need(n > 0, "read");
		bytes -= (unsigned long)n;
		rx_bytes += (unsigned long)n;
		rx_calls++;
	}
}

static int connected(const union address *to, socklen_t len)
{
	int fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	need(fd >= 0 && !connect(fd, &to->any, len), "connect");
	return fd;
}

/* stream FAMILY BYTES: a child connects and sends so many, and gets a third of them back */
static int stream(char **arguments)
{
	unsigned long bytes = strtoul(arguments[1], NULL, 10);
	union address at;
	socklen_t len = address_of(arguments[0], &at);
	int listener = bound(SOCK_STREAM, &at, &len), fd;
	pid_t pid;

	need(!listen(listener, 1), "listen");
	pid = fork();
	if (!pid) {
		fd = connected(&at, len);
		give(fd, bytes);
		take(fd, bytes / 3);
		tell();
		_exit(0);
	}
	fd = accept(listener, NULL, NULL);
	need(fd >= 0, "accept");
	take(fd, bytes);
	give(fd, bytes / 3);
	join(pid);
	tell();
	return 0;
}

/* The number of calls is not reported: the kernel decides how many pieces there are. */
static void give_file(int fd, unsigned long bytes)
{
	int file = memfd_create("file", MFD_CLOEXEC), ends[2];
	unsigned long spliced = 0;
	ssize_t n;

	need(file >= 0 && !ftruncate(file, (off_t)bytes) && !pipe(ends), "file");
	while (tx_bytes < bytes / 2) {
		n = sendfile(fd, file, NULL, bytes / 2 - tx_bytes);
		need(n > 0, "sendfile");
		tx_bytes += (unsigned long)n;
	}
	while (tx_bytes < bytes) {
		n = splice(file, NULL, ends[1], NULL, bytes - tx_bytes, 0);
		need(n > 0, "splice from the file");
		for (spliced = (unsigned long)n; spliced; spliced -= (unsigned long)n) {
			n = splice(ends[0], NULL, fd, NULL, spliced, 0);
			need(n > 0, "splice to the socket");
			tx_bytes += (unsigned long)n;
		}
	}
}

/* file FAMILY BYTES: a child connects and sends so many of a file, by sendfile and splice */
static int file(char **arguments)
{
	unsigned long bytes = strtoul(arguments[1], NULL, 10);
	union address at;
	socklen_t len = address_of(arguments[0], &at);
	int listener = bound(SOCK_STREAM, &at, &len), fd;
	pid_t pid;

	need(!listen(listener, 1), "listen");
	pid = fork();
	if (!pid) {
		give_file(connected(&at, len), bytes);
		tell();
		_exit(0);
	}
	fd = accept(listener, NULL, NULL);
	need(fd >= 0, "accept");
	take(fd, bytes);
	join(pid);
	tell();
	return 0;
}

static void send_one(int fd, unsigned long bytes, const union address *to, socklen_t len)
{
	static char data[65536];

	need(sendto(fd, data, bytes, 0, len ? &to->any : NULL, len) == (ssize_t)bytes, "sendto");
	tx_bytes += bytes;
	tx_calls++;
}

static socklen_t receive_one(int fd, unsigned long bytes, union address *from)
{
	static char data[65536];
	socklen_t len = sizeof(*from);

	need(recvfrom(fd, data, sizeof(data), 0, &from->any, &len) == (ssize_t)bytes, "recvfrom");
	rx_bytes += bytes;
	rx_calls++;
	return len;
}

/* dgram FAMILY named|connected BYTES: a child sends ten of so many, and gets each back */
static int dgram(char **arguments)
{
	unsigned long bytes = strtoul(arguments[2], NULL, 10);
	union address at, mine, from;
	socklen_t len = address_of(arguments[0], &at), mine_len = address_of(arguments[0], &mine);
	int fd = bound(SOCK_DGRAM, &at, &len);
	pid_t pid = fork();

	if (!pid) {
		/* Bound to no address: only the receiver's address shows whether it is loopback. */
		memset(&mine.v6.sin6_addr, 0, sizeof(mine.v6.sin6_addr));
		mine.v4.sin_addr.s_addr = at.any.sa_family == AF_INET ? 0 : mine.v4.sin_addr.s_addr;
		fd = bound(SOCK_DGRAM, &mine, &mine_len);
		if (!strcmp(arguments[1], "connected"))
			need(!connect(fd, &at.any, len), "connect");
		for (int i = 0; i < 10; i++) {
			send_one(fd, bytes, &at, strcmp(arguments[1], "connected") ? len : 0);
			receive_one(fd, bytes, &from);
		}
		tell();
		_exit(0);
	}
	for (int i = 0; i < 10; i++) {
		socklen_t from_len = receive_one(fd, bytes, &from);

		send_one(fd, bytes, &from, from_len);
	}
	join(pid);
	tell();
	return 0;
}

/* refuse: connects to an address where no socket listens */
static int refuse(char **arguments)
{
	union address at;
	socklen_t len = address_of("inet", &at);
	int taken = bound(SOCK_STREAM, &at, &len), fd = socket(AF_INET, SOCK_STREAM, 0);

	need(connect(fd, &at.any, len) < 0 && errno == ECONNREFUSED, "not refused");
	close(taken);
	tell();
	return 0;
}

/* reset exit|close: a child connects and ends with a reset */
static int reset(char **arguments)
{
	const struct linger at_once = { .l_onoff = 1 };
	union address at;
	socklen_t len = address_of("inet", &at);
	int listener = bound(SOCK_STREAM, &at, &len), fd;
	char byte;
	pid_t pid;

	need(!listen(listener, 1), "listen");
	pid = fork();
	if (!pid) {
		fd = connected(&at, len);
		need(!setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), "linger");
		if (!strcmp(arguments[0], "close"))
			close(fd);
		tell();
		_exit(0);
	}
	fd = accept(listener, NULL, NULL);
	need(fd >= 0 && read(fd, &byte, 1) < 0 && errno == ECONNRESET, "not reset");
	join(pid);
	tell();
	return 0;
}

/* chain BYTES SCENARIO…: sends so many through a socket pair and execs another image */
static int chain(char **arguments)
{
	int pair[2];

	need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), "socketpair");
	give(pair[0], strtoul(arguments[0], NULL, 10));
	arguments[0] = self;
	execv(self, arguments);
	return 98;
}

/* nothing_moved: peeks, would block, gets an error */
static int nothing_moved(char **arguments)
{
	char data[16];
	int pair[2];

	need(!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), "socketpair");
	need(recv(pair[1], data, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN, "not empty");
	need(write(pair[0], data, 10) == 10, "write");
	need(recv(pair[1], data, sizeof(data), MSG_PEEK) == 10, "peek");
	need(recv(pair[1], data, sizeof(data), MSG_PEEK) == 10, "peek");
	tx_bytes = 10;
	tx_calls = 1;
	tell();
	return 0;
}

/* linger BYTES: sends so many, and stays alive until standard input ends */
static int linger(char **arguments)
{
	int pair[2];
	char byte;

	need(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair), "socketpair");
	give(pair[0], strtoul(arguments[0], NULL, 10));
	tell();
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}

/* serve BYTES, fetch ADDRESS BYTES: the two ends of a wire. serve writes the port, waits for a line
 * on stdin in between if ADDRESS is followed by "pause". */
static int serve(char **arguments)
{
	union address at = { .v4 = { .sin_family = AF_INET } };
	socklen_t len = sizeof(at.v4);
	int listener = bound(SOCK_STREAM, &at, &len), fd;

	need(!listen(listener, 1), "listen");
	printf("%d\n", ntohs(at.v4.sin_port));
	fflush(stdout);
	fd = accept(listener, NULL, NULL);
	need(fd >= 0, "accept");
	take(fd, strtoul(arguments[0], NULL, 10));
	tell();
	return 0;
}

/* fetch ADDRESS PORT BYTES: connects there and sends so many, after a line on stdin */
static int fetch(char **arguments)
{
	union address to = { .v4 = { .sin_family = AF_INET } };
	char line[2];
	int fd;

	to.v4.sin_addr.s_addr = htonl((in_addr_t)strtoul(arguments[0], NULL, 0));
	to.v4.sin_port = htons((in_port_t)strtoul(arguments[1], NULL, 10));
	fd = connected(&to, sizeof(to.v4));
	puts("connected");
	fflush(stdout);
	need(read(STDIN_FILENO, line, 1) == 1, "stdin");
	give(fd, strtoul(arguments[2], NULL, 10));
	need(!shutdown(fd, SHUT_WR), "shutdown");
	need(read(fd, line, 1) == 0, "end");
	rx_calls++;
	tell();
	return 0;
}

static const struct {
	const char *name;
	int arguments;
	int (*run)(char **arguments);
} scenarios[] = {
	{ "stream", 2, stream }, { "dgram", 3, dgram },   { "refuse", 0, refuse },
	{ "reset", 1, reset },   { "chain", 2, chain },   { "nothing_moved", 0, nothing_moved },
	{ "file", 2, file },     { "linger", 1, linger }, { "serve", 1, serve },
	{ "fetch", 3, fetch },
};

int main(int argc, char **argv)
{
	static char path[4096];

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		return 97;
	self = path;
	for (size_t i = 0; argc > 1 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		if (!strcmp(argv[1], scenarios[i].name) && argc - 2 >= scenarios[i].arguments)
			return scenarios[i].run(argv + 2);
	fprintf(stderr, "network_driver: no scenario %s with so few arguments\n", argv[1]);
	return 96;
}
