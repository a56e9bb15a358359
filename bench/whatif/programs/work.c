/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work UNITS [THREADS [MIB]] [INPUT…] >OUTPUT: computes UNITS units of work, divided among threads,
 * with so much memory, once it has read its inputs. A unit takes the same CPU time whatever else
 * runs.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS      1000000
#define THREADS_MAX 64

struct share {
	pthread_t thread;
	long units;
	uint64_t sum;
};

static void *compute(void *share_)
{
	struct share *share = share_;
	uint64_t value = share->sum;

	for (long unit = 0; unit < share->units; unit++)
		for (long i = 0; i < ROUNDS; i++)
			value = value * 6364136223846793005u + 1442695040888963407u;
	share->sum = value;
	return NULL;
}

static uint64_t read_input(const char *path)
{
	FILE *file = fopen(path, "r");
	uint64_t sum = 0;
	int byte;

	if (!file)
		exit(1);
	while ((byte = getc(file)) != EOF)
		sum = sum * 31 + (unsigned char)byte;
	fclose(file);
	return sum;
}

int main(int argc, char **argv)
{
	long units = argc > 1 ? atol(argv[1]) : 1, threads = argc > 2 ? atol(argv[2]) : 1,
	     mib = argc > 3 ? atol(argv[3]) : 0;
	struct share shares[THREADS_MAX] = { 0 };
	char *memory = malloc(((size_t)mib << 20) + 1);
	uint64_t sum = 0;

	if (!memory || threads < 1 || threads > THREADS_MAX)
		return 1;
	memset(memory, 1, (size_t)mib << 20);
	for (int i = 4; i < argc; i++)
		sum += read_input(argv[i]);
	for (long i = 0; i < threads; i++) {
		shares[i].units = units / threads;
		shares[i].sum = sum + (uint64_t)i;
		pthread_create(&shares[i].thread, NULL, compute, &shares[i]);
	}
	for (long i = 0; i < threads; i++) {
		pthread_join(shares[i].thread, NULL);
		sum += shares[i].sum;
	}
	printf("%llu %d\n", (unsigned long long)sum, memory[(size_t)mib << 19]);
	free(memory);
	return 0;
}
