/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads, each of which holds the lock that the other one waits for. */
#include <pthread.h>

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_barrier_t both;

static void *take(void *first)
{
	pthread_mutex_lock(&locks[(long)first]);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&locks[!(long)first]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	(void)argv;
	if (argc > 1) /* without the other one */
		return 0;
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&threads[0], NULL, take, (void *)0);
	pthread_create(&threads[1], NULL, take, (void *)1);
	pthread_join(threads[0], NULL);
	return 0;
}
