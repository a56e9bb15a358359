/* SPDX-License-Identifier: Apache-2.0 */
/* A process of several threads that burn CPU time: see driver.c. */
#include <pthread.h>
#include <stdbool.h>

#include "driver.h"

static volatile bool released, complete;

/* None ends before all of them were there: how many that were at once does not depend on the
 * scheduler. */
static void *burn_for(void *ms)
{
	burn_thread(ms);
	while (!complete)
		;
	return NULL;
}

static void *burn_until_released(void *unused)
{
	while (!released)
		;
	return NULL;
}

/* threads COUNT MS HOW: so many threads besides the leader, each burns MS, and until all are there;
 * HOW "leader-first": the leader ends before them, "leader-last": it joins them, "released": it
 * joins them, and they burn until standard input ends */
int threads(char **arguments)
{
	unsigned long count = number(arguments[0]);
	pthread_t all[64];

	void *(*burn)(void *ms) = strcmp(arguments[2], "released") ? burn_for : burn_until_released;

	need(count <= 64, "at most 64 threads");
	for (unsigned long i = 0; i < count; i++)
		need(!pthread_create(&all[i], NULL, burn, (void *)number(arguments[1])),
		     "pthread_create");
	complete = true;
	if (!strcmp(arguments[2], "leader-first"))
		pthread_exit(NULL);
	if (burn == burn_until_released)
		until_input_ends();
	released = true;
	for (unsigned long i = 0; i < count; i++)
		pthread_join(all[i], NULL);
	return 0;
}
