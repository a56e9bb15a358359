/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_stall.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void pipe_to_read(int ends[3])
{
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
}

void pipe_to_write(int ends[3])
{
	int both[2];
	char page[4096] = "";

	assert_int_equal(pipe2(both, O_CLOEXEC | O_NONBLOCK), 0);
	while (write(both[1], page, sizeof(page)) > 0)
		;
	assert_int_equal(fcntl(both[1], F_SETFL, 0), 0);
	ends[0] = both[1];
	ends[1] = both[0];
}

void unix_pair(int ends[3])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
}

static void connect_to(int ends[3], int family, struct sockaddr *address, socklen_t len)
{
	socklen_t room = len;

	ends[2] = socket(family, SOCK_STREAM, 0);
	assert_int_equal(bind(ends[2], address, len), 0);
	assert_int_equal(listen(ends[2], 5), 0);
	assert_int_equal(getsockname(ends[2], address, &room), 0);
	ends[0] = socket(family, SOCK_STREAM, 0);
	assert_int_equal(connect(ends[0], address, room), 0);
}

void unix_queued(int ends[3])
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	/* Abstract, so that no file is left. */
	(void)snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "test-stall-%d",
		       getpid());
	connect_to(ends, AF_UNIX, (struct sockaddr *)&address, sizeof(address));
}

void tcp4_queued(int ends[3])
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	connect_to(ends, AF_INET, (struct sockaddr *)&address, sizeof(address));
}

void tcp6_queued(int ends[3])
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_addr = in6addr_loopback };

	connect_to(ends, AF_INET6, (struct sockaddr *)&address, sizeof(address));
}

static void accepted(int ends[3])
{
	ends[1] = accept(ends[2], NULL, NULL);
	assert_true(ends[1] >= 0);
}

void unix_client(int ends[3])
{
	unix_queued(ends);
	accepted(ends);
}

void tcp4_client(int ends[3])
{
	tcp4_queued(ends);
	accepted(ends);
}

void tcp6_client(int ends[3])
{
	tcp6_queued(ends);
	accepted(ends);
}

static void turn(int ends[3])
{
	int first = ends[0];

	ends[0] = ends[1];
	ends[1] = first;
}

void unix_server(int ends[3])
{
	unix_client(ends);
	turn(ends);
}

void tcp4_server(int ends[3])
{
	tcp4_client(ends);
	turn(ends);
}

void tcp4_listener(int ends[3])
{
	tcp4_queued(ends);
	accepted(ends);
	close(ends[0]);
	ends[0] = dup(ends[2]);
}

/* In a network of its own, in which 192.0.2.0/24 answers nothing. */
void tcp4_away(int ends[3])
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000200) };
	struct rtentry route = { .rt_dev = (char[]){ "lo" }, .rt_flags = RTF_UP };
	struct sockaddr_in mask = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0xffffff00) };
	struct ifreq up = { .ifr_name = "lo", .ifr_flags = IFF_UP };

	assert_int_equal(unshare(CLONE_NEWNET), 0);
	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	memcpy(&route.rt_dst, &to, sizeof(to));
	memcpy(&route.rt_genmask, &mask, sizeof(mask));
	assert_int_equal(ioctl(ends[0], SIOCSIFFLAGS, &up), 0);
	assert_int_equal(ioctl(ends[0], SIOCADDRT, &route), 0);
	to.sin_addr.s_addr = htonl(0xc0000201);
	to.sin_port = htons(443);
	assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(connect(ends[0], (struct sockaddr *)&to, sizeof(to)), -1);
	assert_int_equal(fcntl(ends[0], F_SETFL, 0), 0);
}

void reads(int fd)
{
	char byte;

	(void)!read(fd, &byte, 1);
}

void writes(int fd)
{
	(void)!write(fd, "x", 1);
}

void accepts(int fd)
{
	(void)accept(fd, NULL, NULL);
}

void polls(int fd)
{
	/* What a TCP that is not yet connected has at once is not asked for. */
	struct pollfd polled = { .fd = fd, .events = POLLPRI };

	(void)poll(&polled, 1, -1);
}

void selects(int fd)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	(void)select(fd + 1, NULL, NULL, &set, NULL);
}

static void watch(int epoll, int fd)
{
	(void)epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){ .events = EPOLLPRI });
}

void epolls(int fd)
{
	struct epoll_event event;
	int epoll = epoll_create1(0);

	watch(epoll, fd);
	(void)epoll_wait(epoll, &event, 1, -1);
}

/* On a host with many connections: its table is long. */
void epolls_many(int fd)
{
	struct epoll_event event;
	int epoll = epoll_create1(0);

	for (int i = 0; i < 100; i++)
		watch(epoll, dup(fd));
	for (int i = 0; i < 600; i++)
		(void)listen(socket(AF_INET, SOCK_STREAM, 0), 1);
	(void)epoll_wait(epoll, &event, 1, -1);
}

void polls_beside_many(int fd)
{
	const struct rlimit room = { 4096, 4096 };

	(void)setrlimit(RLIMIT_NOFILE, &room);
	for (int i = 0; i < 1100; i++)
		(void)dup(STDIN_FILENO);
	polls(fd);
}

void sleeps_in_poll(int fd)
{
	(void)fd;
	(void)poll(NULL, 0, 600000);
}

void polls_its_own_pipe(int fd)
{
	int own[2];

	close(fd);
	if (pipe(own) == 0)
		epolls(own[0]);
}
