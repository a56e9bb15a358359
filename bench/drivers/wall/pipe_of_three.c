/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three processes in a pipe, of which the middle one is the slowest: the first waits to write, the
 * last waits to read. Each writes how long its calls were not on a CPU: PID CLASS NANOSECONDS.
 */
#define _GNU_SOURCE
#include "../waited.h"

#define BLOCK        65536
#define BLOCKS       300
#define PER_BLOCK_MS 5

static char block[BLOCK];
static long long read_ns, write_ns, computing_ns;

static int get(int fd)
{
	long long before = not_on_cpu_ns();
	ssize_t n = 1;

	for (size_t left = BLOCK; left && n > 0; left -= (size_t)n) {
		n = read(fd, block, left);
		need(n >= 0, "read");
	}
	read_ns += not_on_cpu_ns() - before;
	return n > 0;
}

static void put(int fd)
{
	long long before = not_on_cpu_ns();

	need(write(fd, block, BLOCK) == BLOCK, "write");
	write_ns += not_on_cpu_ns() - before;
}

static void compute(void)
{
	long long begin = now_ns(CLOCK_THREAD_CPUTIME_ID);

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) - begin < PER_BLOCK_MS * NS_PER_MS)
		;
	computing_ns += now_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static void report(void)
{
	printf("%d pipe_read %lld\n%d pipe_write %lld\n%d computing %lld\n", getpid(), read_ns,
	       getpid(), write_ns, getpid(), computing_ns);
	fflush(stdout);
	_exit(0);
}

static void first(int to)
{
	for (int i = 0; i < BLOCKS; i++)
		put(to);
	close(to);
	report();
}

static void middle(int from, int to)
{
	while (get(from)) {
		compute();
		put(to);
	}
	close(to);
	report();
}

static void last(int from)
{
	while (get(from))
		;
	report();
}

int main(void)
{
	int one[2], two[2];

	need(!pipe(one) && !pipe(two), "pipe");
	if (!fork()) {
		close(one[0]);
		close(two[0]);
		close(two[1]);
		first(one[1]);
	}
	close(one[1]);
	if (!fork()) {
		close(two[0]);
		middle(one[0], two[1]);
	}
	close(two[1]);
	close(one[0]);
	if (!fork())
		last(two[0]);
	close(two[0]);
	while (wait(NULL) > 0)
		;
	return 0;
}
