/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process with serial and parallel parts beside 30 threads that wait for a condition: sleeps,
 * computes in one thread, sleeps, computes in two threads at once, three times. Output:
 * PID CLASS NANOSECONDS. The parallel part is known to overlap only if each thread has a CPU of its
 * own.
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "../waited.h"

#define IDLE     30
#define ROUNDS   3
#define SLEEP_MS 200
#define WORK_MS  200

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void *idle(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!done)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void compute(void)
{
	long long end = now_ns(CLOCK_THREAD_CPUTIME_ID) + WORK_MS * NS_PER_MS;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static void *work(void *unused)
{
	compute();
	return NULL;
}

static long long slept(void)
{
	long long before = not_on_cpu_ns();

	pause_ms(SLEEP_MS);
	return not_on_cpu_ns() - before;
}

static void in_parallel(void)
{
	pthread_t other;

	need(!pthread_create(&other, NULL, work, NULL), "pthread_create");
	compute();
	pthread_join(other, NULL);
}

int main(void)
{
	long long sleep_ns = 0, serial_ns = 0, parallel_ns = 0, begin;
	pthread_t threads[IDLE];

	for (int i = 0; i < IDLE; i++)
		need(!pthread_create(&threads[i], NULL, idle, NULL), "pthread_create");
	for (int i = 0; i < ROUNDS; i++) {
		sleep_ns += slept();
		begin = now_ns(CLOCK_MONOTONIC);
		compute();
		serial_ns += now_ns(CLOCK_MONOTONIC) - begin;
		sleep_ns += slept();
		begin = now_ns(CLOCK_MONOTONIC);
		in_parallel();
		parallel_ns += now_ns(CLOCK_MONOTONIC) - begin;
	}
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < IDLE; i++)
		pthread_join(threads[i], NULL);
	printf("%d sleep %lld\n%d serial %lld\n%d computing %lld\n", getpid(), sleep_ns, getpid(),
	       serial_ns, getpid(), serial_ns + parallel_ns);
	return 0;
}
