/* SPDX-License-Identifier: Apache-2.0 */
/* A process of several threads that burn CPU time: see driver.c. */
#include <pthread.h>
#include <stdbool.h>

#include "driver.h"

static volatile bool released;

static void *burn_until_released(void *unused)
{
	while (!released)
		;
	return NULL;
}

/* threads COUNT MS HOW: so many threads besides the leader, each burns MS; HOW "leader-first": the
 * leader ends before them, "leader-last": it joins them, "released": it joins them, and they burn
 * until standard input ends */
int threads(char **arguments)
{
	unsigned long count = number(arguments[0]);
	pthread_t all[64];

	void *(*burn)(void *ms) =
		strcmp(arguments[2], "released") ? burn_thread : burn_until_released;

	need(count <= 64, "at most 64 threads");
	for (unsigned long i = 0; i < count; i++)
		need(!pthread_create(&all[i], NULL, burn, (void *)number(arguments[1])),
		     "pthread_create");
	if (!strcmp(arguments[2], "leader-first"))
		pthread_exit(NULL);
	if (burn == burn_until_released)
		until_input_ends();
	released = true;
	for (unsigned long i = 0; i < count; i++)
		pthread_join(all[i], NULL);
	return 0;
}
