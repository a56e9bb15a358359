/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/*
 * How long the calling thread waited: what the drivers that wait in known ways hold their figures
 * against. Their lines on stdout: id way state pid waited_ns queued_ns, tab separated. waited_ns is
 * what went by on the clock around the waiting calls, less what the thread used of a CPU and less
 * what it waited for one (/proc/thread-self/schedstat), which is queued_ns. Every process carries
 * "id=N" as its last argument, by which the recorded execution is found again.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS       300
#define WAIT_LIMIT_MS 60000
#define NS_PER_MS     1000000LL
#define NS_PER_SEC    1000000000LL

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	_exit(99);
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * NS_PER_MS }, NULL);
}

static long long queued; /* of the calling thread so far */

static long long now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

static long long queued_ns(void)
{
	long long ns = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "re");

	need(file && fscanf(file, "%*s %lld", &ns) == 1, "schedstat");
	fclose(file);
	return ns;
}

/* Time of the calling thread that is not on a CPU. Both clocks are read at one moment: where the
 * CPU was taken away between them they are read again. */
static long long not_on_cpu_ns(void)
{
	long long now, used;

	do {
		now = now_ns(CLOCK_MONOTONIC);
		used = now_ns(CLOCK_THREAD_CPUTIME_ID);
	} while (now_ns(CLOCK_MONOTONIC) - now > NS_PER_MS);
	return now - used;
}

/* Of that, what is not in the queue for one either. A reading during which the
 * thread was queued again is repeated. */
static long long off_cpu_ns(void)
{
	long long ns;

	do {
		queued = queued_ns();
		ns = not_on_cpu_ns() - queued;
	} while (queued_ns() != queued);
	return ns;
}

__attribute__((unused)) static void feed(int fd)
{
	need(write(fd, "x", 1) == 1, "write");
}

/* On no CPU since the fork: queued for one, or it was taken away. */
#define FORKED_NS "FORKED_NS"

__attribute__((unused)) static long long without_cpu_ns(void)
{
	const char *forked = getenv(FORKED_NS);

	need(forked != NULL, FORKED_NS);
	return not_on_cpu_ns() - atoll(forked);
}

/* Until the first thread of a process sleeps interruptibly or is stopped: it has begun to wait,
 * however late it got a CPU. */
__attribute__((unused)) static void until_it_waits(pid_t pid)
{
	char path[32], state = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	for (int ms = 0; state != 'S' && state != 'T'; ms++) {
		FILE *file = fopen(path, "re");

		need(file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1, path);
		fclose(file);
		need(ms < WAIT_LIMIT_MS, "the process that is to wait did not within 60 s");
		pause_ms(1);
	}
	pause_ms(WAIT_MS);
}

/* Another process, so that its own waits are not the waiter's. It helps WAIT_MS after the waiter
 * began to wait. */
__attribute__((unused)) static pid_t helper(void (*help)(int fd), int fd)
{
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (pid)
		return pid;
	until_it_waits(getppid());
	help(fd);
	_exit(0);
}

struct way {
	const char *name, *state;
	long long (*wait)(const char *scratch);
};

static void spawn(const char *self, const struct way *way, int id, const char *scratch)
{
	char name[32], forked[32];
	pid_t pid;

	snprintf(name, sizeof(name), "id=%d", id);
	fflush(stdout);
	snprintf(forked, sizeof(forked), "%lld", now_ns(CLOCK_MONOTONIC));
	need(!setenv(FORKED_NS, forked, 1), "setenv");
	pid = fork();
	need(pid >= 0, "fork");
	if (!pid) {
		execl(self, self, way->name, scratch, name, (char *)NULL);
		_exit(98);
	}
}

/* main() of a driver. The last `alone` ways go one after another: those that use one file, and all
 * that would crowd each other's CPU. */
static int waited_main(int argc, char **argv, const struct way *ways, size_t count, size_t alone)
{
	long long waited;
	int rounds, id = 0;

	signal(SIGCHLD, SIG_DFL);
	for (size_t i = 0; argc == 4 && i < count; i++) {
		if (strcmp(argv[1], ways[i].name) != 0)
			continue;
		waited = ways[i].wait(argv[2]);
		printf("%s\t%s\t%s\t%d\t%lld\t%lld\n", argv[3] + 3, ways[i].name, ways[i].state,
		       getpid(), waited, queued);
		return 0;
	}
	need(argc == 3, "usage: DRIVER ROUNDS SCRATCH");
	rounds = atoi(argv[1]);
	for (int round = 0; round < rounds; round++)
		for (size_t i = 0; i < count; i++) {
			spawn(argv[0], &ways[i], ++id, argv[2]);
			while (i >= count - alone && wait(NULL) > 0)
				;
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
