/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for the first of several things that is known, and writes down how long (waited.h): each
 * way by poll, select and epoll.
 *
 *     poll_driver ROUNDS SCRATCH     each way, ROUNDS times
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include "waited.h"

#define FILES_MAX  3
#define FAR_MS     20000
#define TIMEOUT_MS 100

struct set {
	int fds[FILES_MAX], count;
	int timeout_ms; /* below 0: none */
	int timer_ms;   /* above 0: the first is a timerfd, set to this before each wait */
};

static int wait_by_poll(const struct set *set)
{
	struct pollfd polled[FILES_MAX];

	for (int i = 0; i < set->count; i++)
		polled[i] = (struct pollfd){ .fd = set->fds[i], .events = POLLIN };
	return poll(polled, (nfds_t)set->count, set->timeout_ms);
}

static int wait_by_select(const struct set *set)
{
	struct timeval limit = { set->timeout_ms / 1000, set->timeout_ms % 1000 * 1000L };
	fd_set selected;
	int end = 0;

	FD_ZERO(&selected);
	for (int i = 0; i < set->count; i++) {
		FD_SET(set->fds[i], &selected);
		end = set->fds[i] >= end ? set->fds[i] + 1 : end;
	}
	return select(end, &selected, NULL, NULL, set->timeout_ms < 0 ? NULL : &limit);
}

static int wait_by_epoll(const struct set *set)
{
	int all = epoll_create1(EPOLL_CLOEXEC), count;
	struct epoll_event event = { .events = EPOLLIN };

	for (int i = 0; i < set->count; i++)
		need(!epoll_ctl(all, EPOLL_CTL_ADD, set->fds[i], &event), "epoll_ctl");
	count = epoll_wait(all, &event, 1, set->timeout_ms);
	close(all);
	return count;
}

static void set_timer(const struct set *set)
{
	const struct itimerspec once = { .it_value.tv_nsec = set->timer_ms * NS_PER_MS };

	need(!set->timer_ms || !timerfd_settime(set->fds[0], 0, &once, NULL), "timerfd");
}

/* How often this thread has left its CPU to wait. */
static long waits(void)
{
	struct rusage usage;

	need(!getrusage(RUSAGE_THREAD, &usage), "getrusage");
	return usage.ru_nvcsw;
}

/* In each of the three ways. A timer that has expired before the call is no wait, which happens
 * where CPUs are few: it is set again. first: what it is taken from that is ready then, -1: nothing
 * is. */
static long long wait_for(const struct set *set, int first)
{
	static int (*const calls[])(const struct set *set) = { wait_by_poll, wait_by_select,
							       wait_by_epoll };
	long long before, sum = 0;
	char bytes[8];
	long so_far;

	for (size_t i = 0; i < 3;) {
		before = off_cpu_ns();
		so_far = waits();
		set_timer(set);
		need(calls[i](set) == (first >= 0), "poll");
		if (!set->timer_ms || waits() > so_far)
			i++;
		sum += off_cpu_ns() - before;
		need(first < 0 || read(first, bytes, sizeof(bytes)) > 0, "read");
	}
	return sum;
}

static void feed_thrice(int fd)
{
	static const char one[8] = { 1 }; /* what an eventfd takes */

	for (int i = 0; i < 3; i++) {
		if (i)
			until_it_waits(getppid());
		need(write(fd, one, sizeof(one)) == sizeof(one), "write");
	}
}

static int idle_pipe(void)
{
	int ends[2];

	need(!pipe(ends), "pipe");
	return ends[0];
}

static int idle_socket(void)
{
	int ends[2];

	need(!socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), "socketpair");
	return ends[0];
}

static int tcp_fed(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);

	need(!bind(server, (void *)&address, size) && !listen(server, 1) &&
		     !getsockname(server, (void *)&address, &size) &&
		     !connect(client, (void *)&address, size),
	     "loopback");
	helper(feed_thrice, accept(server, NULL, NULL));
	return client;
}

static int pipe_fed(void)
{
	int ends[2];

	need(!pipe(ends), "pipe");
	helper(feed_thrice, ends[1]);
	return ends[0];
}

/* ---- the ways ---- */

static long long of_tcp(const char *scratch)
{
	int fd = tcp_fed();

	return wait_for(&(struct set){ { fd }, 1, -1 }, fd);
}

static long long of_unix(const char *scratch)
{
	int ends[2];

	need(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
	helper(feed_thrice, ends[1]);
	return wait_for(&(struct set){ { ends[0] }, 1, FAR_MS }, ends[0]);
}

static long long of_pipe(const char *scratch)
{
	int fd = pipe_fed();

	return wait_for(&(struct set){ { fd }, 1, FAR_MS }, fd);
}

static long long of_tcp_among_others(const char *scratch)
{
	int fd = tcp_fed();

	return wait_for(&(struct set){ { eventfd(0, 0), idle_pipe(), fd }, 3, FAR_MS }, fd);
}

static long long of_pipe_among_others(const char *scratch)
{
	int fd = pipe_fed();

	return wait_for(&(struct set){ { eventfd(0, 0), idle_socket(), fd }, 3, -1 }, fd);
}

static long long of_timeout(const char *scratch)
{
	return wait_for(&(struct set){ { 0 }, 0, TIMEOUT_MS }, -1) +
	       wait_for(&(struct set){ { idle_socket() }, 1, TIMEOUT_MS }, -1) +
	       wait_for(&(struct set){ { idle_socket(), idle_pipe() }, 2, TIMEOUT_MS }, -1);
}

static long long of_timerfd(const char *scratch)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);

	return wait_for(&(struct set){ { fd }, 1, -1, TIMEOUT_MS }, fd);
}

/* A wait with an unknown cause: an eventfd, alone and among others. */
static long long of_eventfd(const char *scratch)
{
	int fd = eventfd(0, 0), other = eventfd(0, 0);
	long long alone;

	helper(feed_thrice, fd);
	alone = wait_for(&(struct set){ { fd }, 1, -1 }, fd);
	helper(feed_thrice, other);
	return alone +
	       wait_for(&(struct set){ { other, idle_socket(), idle_pipe() }, 3, FAR_MS }, other);
}

/* Nor is a signal any of them. */
static void heard(int number)
{
}

static long long of_signal(const char *scratch)
{
	const struct set set = { { idle_socket() }, 1, FAR_MS };
	const struct sigaction action = { .sa_handler = heard };
	long long before;

	sigaction(SIGALRM, &action, NULL);
	before = off_cpu_ns();
	for (int i = 0; i < 2; i++) {
		alarm(1);
		need((i ? wait_by_epoll : wait_by_poll)(&set) < 0, "signal");
	}
	return off_cpu_ns() - before;
}

static const struct way ways[] = {
	{ "tcp", "poll_network", of_tcp },
	{ "unix", "poll_network", of_unix },
	{ "tcp_among_others", "poll_network", of_tcp_among_others },
	{ "pipe", "poll_pipe", of_pipe },
	{ "pipe_among_others", "poll_pipe", of_pipe_among_others },
	{ "timeout", "poll_timer", of_timeout },
	{ "timerfd", "poll_timer", of_timerfd },
	{ "eventfd", "poll_unknown", of_eventfd },
	{ "signal", "poll_unknown", of_signal },
};

int main(int argc, char **argv)
{
	return waited_main(argc, argv, ways, sizeof(ways) / sizeof(ways[0]), 0);
}
