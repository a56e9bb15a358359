/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits in known ways, and writes down how long (waited.h).
 *
 *     wait_driver ROUNDS SCRATCH     each way of waiting, ROUNDS times
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "cold.h"
#include "waited.h"

#define MIB (1u << 20)

/* ---- who helps a waiter: another process, so that its own waits are not the waiter's ---- */

static void drain(int fd)
{
	static char bytes[MIB];
	ssize_t n;

	for (size_t left = MIB; left; left -= (size_t)n) {
		n = read(fd, bytes, left);
		need(n > 0, "read");
	}
}

static void cont(int pid)
{
	kill(pid, SIGCONT);
}

/* ---- ways to wait; each returns how long it did ---- */

static long long read_from(int fd)
{
	char byte;
	long long before = off_cpu_ns();

	need(read(fd, &byte, 1) == 1, "read");
	return off_cpu_ns() - before;
}

static long long pipe_read(const char *scratch)
{
	int ends[2];

	need(!pipe(ends), "pipe");
	helper(feed, ends[1]);
	return read_from(ends[0]);
}

static long long pipe_write(const char *scratch)
{
	static char bytes[MIB];
	long long before;
	int ends[2];

	need(!pipe(ends), "pipe");
	helper(drain, ends[0]);
	before = off_cpu_ns();
	need(write(ends[1], bytes, sizeof(bytes)) == sizeof(bytes), "write");
	before = off_cpu_ns() - before;
	close(ends[1]);
	return before;
}

static long long fifo_open(const char *scratch)
{
	char path[4096];
	long long before;
	int fd;

	snprintf(path, sizeof(path), "%s/fifo.%d", scratch, getpid());
	need(!mkfifo(path, 0600), "mkfifo");
	if (!fork()) {
		until_it_waits(getppid());
		_exit(open(path, O_WRONLY) < 0);
	}
	before = off_cpu_ns();
	fd = open(path, O_RDONLY);
	need(fd >= 0, "open");
	return off_cpu_ns() - before;
}

static long long unix_socket(const char *scratch)
{
	int ends[2];

	need(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
	helper(feed, ends[1]);
	return read_from(ends[0]);
}

static long long tcp(const char *scratch)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);

	need(!bind(server, (void *)&address, size) && !listen(server, 1) &&
		     !getsockname(server, (void *)&address, &size) &&
		     !connect(client, (void *)&address, size),
	     "loopback");
	helper(feed, accept(server, NULL, NULL));
	return read_from(client);
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *ready)
{
	pthread_mutex_lock(&held);
	feed(*(int *)ready);
	until_it_waits(getpid());
	pthread_mutex_unlock(&held);
	return NULL;
}

static long long lock(const char *scratch)
{
	pthread_t thread;
	long long before;
	int ends[2];
	char byte;

	need(!pipe(ends) && !pthread_create(&thread, NULL, hold, &ends[1]), "thread");
	while (read(ends[0], &byte, 1) != 1)
		;
	before = off_cpu_ns();
	pthread_mutex_lock(&held);
	before = off_cpu_ns() - before;
	return before;
}

static long long child(const char *scratch)
{
	pid_t pid = fork();
	long long before;

	if (!pid) {
		until_it_waits(getppid());
		_exit(0);
	}
	before = off_cpu_ns();
	need(waitpid(pid, NULL, 0) == pid, "waitpid");
	return off_cpu_ns() - before;
}

static long long vfork_child(const char *scratch)
{
	long long before = off_cpu_ns();
	pid_t pid = vfork();

	if (!pid) {
		pause_ms(WAIT_MS);
		_exit(0);
	}
	return off_cpu_ns() - before;
}

static long long asleep(const char *scratch)
{
	long long before = off_cpu_ns();

	pause_ms(WAIT_MS);
	return off_cpu_ns() - before;
}

static long long polls(const char *scratch)
{
	struct timeval limit = { .tv_usec = 100000 };
	long long before = off_cpu_ns();

	poll(NULL, 0, 100);
	select(0, NULL, NULL, NULL, &limit);
	epoll_wait(epoll_create1(0), &(struct epoll_event){ 0 }, 1, 100);
	return off_cpu_ns() - before;
}

static long long stopped(const char *scratch)
{
	long long before;

	helper(cont, getpid());
	before = off_cpu_ns();
	raise(SIGSTOP);
	return off_cpu_ns() - before;
}

/* Disk and paging: as long as the others wait, or to the file's end. */
static long long disk(const char *scratch)
{
	int fd = cold_file(scratch, O_RDONLY | O_DIRECT);
	void *room = aligned_alloc(4096, COLD_STEP);
	long long before = off_cpu_ns();

	while (off_cpu_ns() - before < WAIT_MS * NS_PER_MS && read(fd, room, COLD_STEP) > 0)
		;
	return off_cpu_ns() - before;
}

static long long paging(const char *scratch)
{
	int fd = cold_file(scratch, O_RDONLY);
	volatile char *bytes = mmap(NULL, COLD_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	long long before;
	char sum = 0;

	need(bytes != MAP_FAILED, "mmap");
	madvise((void *)bytes, COLD_BYTES, MADV_RANDOM);
	before = off_cpu_ns();
	for (size_t i = 0; i < COLD_BYTES && off_cpu_ns() - before < WAIT_MS * NS_PER_MS;
	     i += COLD_STEP)
		sum = (char)(sum + bytes[i]);
	return off_cpu_ns() - before;
}

static pid_t spin(void)
{
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (pid)
		return pid;
	need(!prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl");
	for (;;) {
	}
}

/* Three for one CPU. At the end it yields to no thread, so that no more follows. */
static long long starved(const char *scratch)
{
	const struct sched_param first = { .sched_priority = 1 };
	long long until;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	need(!sched_setaffinity(0, sizeof(one), &one), "sched_setaffinity");
	spin();
	spin();
	until = now_ns(CLOCK_MONOTONIC) + WAIT_MS * NS_PER_MS;
	while (now_ns(CLOCK_MONOTONIC) < until) {
	}
	need(!sched_setscheduler(0, SCHED_FIFO, &first), "sched_setscheduler");
	return without_cpu_ns();
}

static const struct way ways[] = {
	{ "pipe_read", "pipe_read", pipe_read },
	{ "fifo_open", "pipe_read", fifo_open },
	{ "pipe_write", "pipe_write", pipe_write },
	{ "unix", "network", unix_socket },
	{ "tcp", "network", tcp },
	{ "lock", "lock", lock },
	{ "child", "child", child },
	{ "vfork", "child", vfork_child },
	{ "sleep", "sleep", asleep },
	{ "poll", "poll", polls },
	{ "stopped", "other", stopped },
	{ "disk", "disk", disk },
	{ "paging", "paging", paging },
	{ "starved", "runnable", starved },
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

int main(int argc, char **argv)
{
	return waited_main(argc, argv, ways, WAYS, 4);
}
