/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that compute a part each and meet, step after step; who is early spins, as with
 * OMP_WAIT_POLICY=active.
 *
 *     solver THREADS STEPS UNITS      UNITS: the work of a step, which the threads divide
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static long threads, steps, units;
static atomic_long arrived, sum;

static void meet(long step)
{
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < threads * (step + 1))
		;
}

static void *solve(void *nothing)
{
	double value = 1;

	for (long step = 0; step < steps; step++) {
		for (long i = 0; i < units * 1000 / threads; i++)
			value = value * 1.0000001 + 1e-9;
		meet(step);
	}
	atomic_fetch_add(&sum, (long)value);
	return nothing;
}

int main(int argc, char **argv)
{
	pthread_t all[256];

	if (argc != 4)
		return 2;
	threads = strtol(argv[1], NULL, 10);
	steps = strtol(argv[2], NULL, 10);
	units = strtol(argv[3], NULL, 10);
	if (threads < 1 || threads > 256)
		return 2;
	for (long i = 0; i < threads; i++)
		pthread_create(&all[i], NULL, solve, NULL);
	for (long i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	printf("%ld\n", sum);
	return 0;
}
