/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that write into one table under one lock.
 *
 *     contend THREADS ROUNDS LOCK_US FREE_US      each round: LOCK_US under the lock, FREE_US
 * without it, both computing
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds, lock_us, free_us;
static double table;

/* By the thread's own CPU time, so that the work is the same however many run. */
static double compute(long us)
{
	struct timespec now, begin;
	double value = 1;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (int i = 0; i < 1000; i++)
			value = value * 1.0000001 + 1e-9;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < us);
	return value;
}

static void *work(void *nothing)
{
	for (long i = 0; i < rounds; i++) {
		if (lock_us > 0) {
			pthread_mutex_lock(&lock);
			table += compute(lock_us);
			pthread_mutex_unlock(&lock);
		}
		if (free_us > 0)
			compute(free_us);
	}
	return nothing;
}

int main(int argc, char **argv)
{
	pthread_t all[64];
	long threads;

	if (argc != 5)
		return 2;
	threads = strtol(argv[1], NULL, 10);
	rounds = strtol(argv[2], NULL, 10);
	lock_us = strtol(argv[3], NULL, 10);
	free_us = strtol(argv[4], NULL, 10);
	if (threads < 1 || threads > 64)
		return 2;
	for (long i = 0; i < threads; i++)
		pthread_create(&all[i], NULL, work, NULL);
	for (long i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	printf("%g\n", table);
	return 0;
}
