/* SPDX-License-Identifier: Apache-2.0 */
/* A process that waits beside a thread of its own: see driver.c. */
#include <pthread.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "driver.h"

#define TICK_US 20000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool done;

static bool is_done(void)
{
	bool is;

	pthread_mutex_lock(&mutex);
	is = done;
	pthread_mutex_unlock(&mutex);
	return is;
}

static void *idle(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!done)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *ticker(void *unused)
{
	while (!is_done())
		usleep(TICK_US);
	return NULL;
}

static void wait_for_child(void)
{
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (!pid) {
		until_input_ends();
		_exit(0);
	}
	need(waitpid(pid, NULL, 0) == pid, "waitpid");
}

static const struct {
	const char *name;
	void *(*run)(void *unused);
} helpers[] = { { "idle", idle }, { "ticker", ticker } };

/* beside HELPER WAIT: waits until standard input ends; WAIT "pipe": for that pipe, "child": for a
 * child that does; HELPER "idle": beside a thread that waits for a condition, "ticker": beside one
 * that sleeps for 20 ms again and again, "none": with one thread */
int beside(char **arguments)
{
	pthread_t thread = 0;

	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (!strcmp(arguments[0], helpers[i].name))
			need(!pthread_create(&thread, NULL, helpers[i].run, NULL),
			     "pthread_create");
	if (!strcmp(arguments[1], "child"))
		wait_for_child();
	else
		until_input_ends();
	pthread_mutex_lock(&mutex);
	done = true;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	if (thread)
		pthread_join(thread, NULL);
	return 0;
}
