/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fails to connect in a known way: connect_driver WAY ARGUMENT…. Ends with code 0 if it failed as
 * it should; otherwise stderr says why.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void need(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "connect_driver: %s: %s\n", what, strerror(errno));
	_exit(99);
}

static int number_of(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static socklen_t address_of(const char *host, const char *port, union address *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (inet_pton(AF_INET, host, &ret->v4.sin_addr) == 1) {
		ret->v4.sin_family = AF_INET;
		ret->v4.sin_port = htons((in_port_t)number_of(port));
		return sizeof(ret->v4);
	}
	need(inet_pton(AF_INET6, host, &ret->v6.sin6_addr) == 1, "address");
	ret->v6.sin6_family = AF_INET6;
	ret->v6.sin6_port = htons((in_port_t)number_of(port));
	return sizeof(ret->v6);
}

/* Returns errno. */
static int tried(const char *host, const char *port)
{
	union address to;
	socklen_t len = address_of(host, port, &to);
	int fd = socket(to.any.sa_family, SOCK_STREAM, 0), error;

	need(fd >= 0, "socket");
	error = connect(fd, &to.any, len) ? errno : 0;
	close(fd);
	return error;
}

/* block HOST PORT ERRNO TIMES PORTS: so many times, at so many ports from PORT on */
static int block(char **arguments)
{
	int ports = number_of(arguments[4]);
	char port[16];

	for (int i = 0; i < number_of(arguments[3]) * ports; i++) {
		(void)snprintf(port, sizeof(port), "%d", number_of(arguments[1]) + i % ports);
		errno = tried(arguments[0], port);
		need(errno == number_of(arguments[2]), "another error");
	}
	return 0;
}

static int begun(char **arguments, union address *to, socklen_t *len)
{
	int fd;

	*len = address_of(arguments[0], arguments[1], to);
	fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	need(fd >= 0 && connect(fd, &to->any, *len) < 0 && errno == EINPROGRESS, "not begun");
	return fd;
}

/* poll HOST PORT ERRNO: waits for the end of the attempt, and asks by a second connect() */
static int poll_until(char **arguments)
{
	union address to;
	socklen_t len;
	struct pollfd set = { .fd = begun(arguments, &to, &len), .events = POLLOUT };

	need(poll(&set, 1, -1) == 1, "poll");
	need(connect(set.fd, &to.any, len) < 0 && errno == number_of(arguments[2]),
	     "another error");
	return 0;
}

/* limit HOST PORT: gives the kernel a millisecond; it notices at the first retransmission */
static int limit(char **arguments)
{
	union address to;
	socklen_t len = address_of(arguments[0], arguments[1], &to);
	int fd = socket(to.any.sa_family, SOCK_STREAM, 0), ms = 1;

	need(!setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms)), "option");
	need(connect(fd, &to.any, len) < 0 && errno == ETIMEDOUT, "no time-out");
	return 0;
}

/* close HOST PORT, leave HOST PORT: gives up while there is no answer; leaves the rest to its end
 */
static int give_up(char **arguments)
{
	union address to;
	socklen_t len;

	return close(begun(arguments, &to, &len));
}

static int leave(char **arguments)
{
	union address to;
	socklen_t len;

	(void)begun(arguments, &to, &len);
	return 0;
}

/* udp HOST PORT: sends, and is refused */
static int udp(char **arguments)
{
	union address to;
	socklen_t len = address_of(arguments[0], arguments[1], &to);
	int fd = socket(to.any.sa_family, SOCK_DGRAM, 0);
	char byte = 0;

	need(!connect(fd, &to.any, len) && send(fd, &byte, 1, 0) == 1, "send");
	need(recv(fd, &byte, 1, 0) < 0 && errno == ECONNREFUSED, "not refused");
	return 0;
}

/* udp_route HOST: asks whether there is a route, as resolvers do */
static int udp_route(char **arguments)
{
	union address to;
	socklen_t len = address_of(arguments[0], "53", &to);
	int fd = socket(to.any.sa_family, SOCK_DGRAM, 0);

	need(connect(fd, &to.any, len) < 0 && errno == ENETUNREACH, "a route");
	return 0;
}

/* taken: connects twice from one port to one port; writes the latter */
static int taken(char **arguments)
{
	union address to, from;
	socklen_t len = address_of("127.0.0.1", "0", &to);
	int listener = socket(AF_INET, SOCK_STREAM, 0), fds[2], yes = 1;

	need(!bind(listener, &to.any, len) && !listen(listener, 2), "listen");
	need(!getsockname(listener, &to.any, &len), "name");
	address_of("127.0.0.1", "0", &from);
	for (int i = 0; i < 2; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM, 0);
		need(!setsockopt(fds[i], SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)), "reuse");
		need(!bind(fds[i], &from.any, len) && !getsockname(fds[i], &from.any, &len),
		     "bind");
	}
	need(!connect(fds[0], &to.any, len), "connect");
	need(connect(fds[1], &to.any, len) < 0 && errno == EADDRNOTAVAIL, "both connected");
	printf("%d\n", ntohs(to.v4.sin_port));
	return 0;
}

/* fork HOST PORT ERRNO: a fork without an exec; writes its pid */
static int forked(char **arguments)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		errno = tried(arguments[0], arguments[1]);
		need(errno == number_of(arguments[2]), "another error");
		_exit(0);
	}
	need(waitpid(pid, &status, 0) == pid && !status, "child");
	printf("%d\n", pid);
	return 0;
}

/* again HOST PORT ERRNO ARGUMENT…: fails, and execs the driver with the rest */
static int again(char **arguments)
{
	static char self[4096];

	errno = tried(arguments[0], arguments[1]);
	need(errno == number_of(arguments[2]), "another error");
	need(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0, "self");
	arguments[2] = self;
	execv(self, arguments + 2);
	return 98;
}

static const struct {
	const char *name;
	int arguments;
	int (*run)(char **arguments);
} ways[] = {
	{ "block", 5, block },   { "poll", 3, poll_until }, { "limit", 2, limit },
	{ "close", 2, give_up }, { "leave", 2, leave },     { "udp", 2, udp },
	{ "taken", 0, taken },   { "fork", 3, forked },     { "udp_route", 1, udp_route },
	{ "again", 4, again },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name) && argc - 2 >= ways[i].arguments)
			return ways[i].run(argv + 2);
	fprintf(stderr, "connect_driver: no such way with so few arguments\n");
	return 96;
}
