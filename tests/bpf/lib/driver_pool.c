/* SPDX-License-Identifier: Apache-2.0 */
/* Processes with threads that begin, end and wake each other: see driver.c. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>

#include "driver.h"

#define POOL_MAX     5000
#define STACK_BYTES  (16UL << 10)
#define BURNS_EVERY  1000 /* one of so many threads computes */
#define BURNS_US     20000
#define RELAY        8
#define RELAY_TOKENS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static unsigned long ended; /* generations of the pool */

static void begin_thread(pthread_t *ret, void *(*run)(void *), void *argument)
{
	pthread_attr_t attributes;

	need(!pthread_attr_init(&attributes) &&
		     !pthread_attr_setstacksize(&attributes, STACK_BYTES),
	     "pthread_attr");
	need(!pthread_create(ret, &attributes, run, argument), "pthread_create");
	pthread_attr_destroy(&attributes);
}

static void *wait_in_pool(void *generation)
{
	pthread_mutex_lock(&mutex);
	while (ended <= (unsigned long)generation)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *burn_in_pool(void *generation)
{
	burn_us(CLOCK_THREAD_CPUTIME_ID, BURNS_US);
	return wait_in_pool(generation);
}

static void generation_begins(pthread_t *all, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		begin_thread(&all[i], i % BURNS_EVERY ? wait_in_pool : burn_in_pool, (void *)ended);
}

static void generation_ends(const pthread_t *all, unsigned long count)
{
	pthread_mutex_lock(&mutex);
	ended++;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	for (unsigned long i = 0; i < count; i++)
		pthread_join(all[i], NULL);
}

/* pool COUNT: so many threads that wait for a condition, every 1,000th after it has computed for 20
 * ms. Each byte from standard input ends them and begins as many new ones; its end ends them. */
int pool(char **arguments)
{
	static pthread_t all[POOL_MAX];
	unsigned long count = number(arguments[0]);
	char byte;

	need(count <= POOL_MAX, "at most 5000 threads");
	generation_begins(all, count);
	need(write(STDOUT_FILENO, "r", 1) == 1, "write");
	while (read(STDIN_FILENO, &byte, 1) > 0) {
		generation_ends(all, count);
		generation_begins(all, count);
	}
	generation_ends(all, count);
	return 0;
}

static volatile bool released;

static void *burn_until_released(void *unused)
{
	while (!released)
		;
	return NULL;
}

/* grow COUNT: so many threads that wait for a condition. Each byte from standard input adds one
 * that computes until its end. */
int grow(char **arguments)
{
	static pthread_t all[POOL_MAX];
	unsigned long idle = number(arguments[0]), count = idle;
	char byte;

	need(idle < POOL_MAX, "less than 5000 threads");
	for (unsigned long i = 0; i < idle; i++)
		begin_thread(&all[i], wait_in_pool, NULL);
	need(write(STDOUT_FILENO, "r", 1) == 1, "write");
	while (read(STDIN_FILENO, &byte, 1) > 0 && count < POOL_MAX)
		begin_thread(&all[count++], burn_until_released, NULL);
	released = true;
	generation_ends(all, count);
	return 0;
}

static sem_t tokens[RELAY];
static unsigned long rounds;
static volatile bool relay_is_over;
static char **relay_last;

/* On one CPU or the other, where there are two. */
static void move_to(unsigned long at)
{
	cpu_set_t allowed, one;

	need(!sched_getaffinity(0, sizeof(allowed), &allowed), "sched_getaffinity");
	at %= (unsigned long)CPU_COUNT(&allowed);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed) || at-- > 0)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		need(!sched_setaffinity(0, sizeof(one), &one), "sched_setaffinity");
		return;
	}
}

/* With a timeout, or without. */
static bool take_token(unsigned long at)
{
	struct timespec until;

	if (at % 2)
		return !sem_wait(&tokens[at]);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 50000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	return !sem_timedwait(&tokens[at], &until);
}

static void *run_relay(void *number_of)
{
	unsigned long at = (unsigned long)number_of, left = rounds;

	move_to(at);
	while (!relay_is_over) {
		if (!take_token(at))
			continue;
		sem_post(&tokens[(at + 1) % RELAY]);
		if (at != 1 || left-- > 0)
			continue;
		if (!strcmp(relay_last[0], "exit"))
			_exit(0);
		if (!strcmp(relay_last[0], "exec"))
			execv("/proc/self/exe", relay_last);
		relay_is_over = true;
	}
	sem_post(&tokens[(at + 1) % RELAY]); /* it may wait without a timeout */
	return NULL;
}

/* relay ROUNDS HOW…: eight threads on two CPUs wake each other, some of them with a timeout. After
 * so many rounds one of them, while the others go on: HOW "exit": ends the process; "exec" …: execs
 * the rest; "join": ends them, and the process waits until standard input ends */
int relay(char **arguments)
{
	pthread_t all[RELAY];

	rounds = number(arguments[0]);
	relay_last = arguments + 1;
	for (unsigned long i = 0; i < RELAY; i++)
		need(!sem_init(&tokens[i], 0, i < RELAY_TOKENS), "sem_init");
	for (unsigned long i = 0; i < RELAY; i++)
		begin_thread(&all[i], run_relay, (void *)i);
	for (unsigned long i = 0; i < RELAY; i++)
		pthread_join(all[i], NULL);
	until_input_ends();
	return 0;
}
