/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process with serial and parallel parts beside 30 threads that wait for a condition: sleeps,
 * computes in one thread, sleeps, computes in two threads at once, three times. Output:
 * PID CLASS NANOSECONDS. Two threads that compute equally much do not take equally long where a CPU
 * is lent to others for a while (interrupts, other guests): the one that is left alone is serial.
 * They overlap otherwise only if each has a CPU of its own.
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

struct span {
	long long began_ns, ended_ns; /* monotonic */
};

static void compute(struct span *ret)
{
	long long end = now_ns(CLOCK_THREAD_CPUTIME_ID) + WORK_MS * NS_PER_MS;

	ret->began_ns = now_ns(CLOCK_MONOTONIC);
	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
	ret->ended_ns = now_ns(CLOCK_MONOTONIC);
}

static void *work(void *span)
{
	compute(span);
	return NULL;
}

static long long slept(void)
{
	long long before = not_on_cpu_ns();

	pause_ms(SLEEP_MS);
	return not_on_cpu_ns() - before;
}

/* Returns how long only one of the two computed. */
static long long in_parallel(void)
{
	struct span own, others;
	pthread_t other;

	need(!pthread_create(&other, NULL, work, &others), "pthread_create");
	compute(&own);
	pthread_join(other, NULL);
	return llabs(own.began_ns - others.began_ns) + llabs(own.ended_ns - others.ended_ns);
}

int main(void)
{
	long long sleep_ns = 0, serial_ns = 0, computing_ns = 0, begin, took_ns;
	pthread_t threads[IDLE];
	struct span alone;

	for (int i = 0; i < IDLE; i++)
		need(!pthread_create(&threads[i], NULL, idle, NULL), "pthread_create");
	for (int i = 0; i < ROUNDS; i++) {
		sleep_ns += slept();
		begin = now_ns(CLOCK_MONOTONIC);
		compute(&alone);
		took_ns = now_ns(CLOCK_MONOTONIC) - begin;
		serial_ns += took_ns;
		computing_ns += took_ns;
		sleep_ns += slept();
		begin = now_ns(CLOCK_MONOTONIC);
		serial_ns += in_parallel();
		computing_ns += now_ns(CLOCK_MONOTONIC) - begin;
	}
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < IDLE; i++)
		pthread_join(threads[i], NULL);
	printf("%d sleep %lld\n%d serial %lld\n%d computing %lld\n", getpid(), sleep_ns, getpid(),
	       serial_ns, getpid(), computing_ns);
	return 0;
}
