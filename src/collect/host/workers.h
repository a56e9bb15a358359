/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * The daemons of schedulers and batch services that take jobs on this host, by the names of running
 * processes: a host with one and without a job waits for work. Each as "NAME" or "NAME NODE", where
 * it is known how the scheduler calls this host (of ECS: the cluster): "slurmd node-7".
 */
#define WORKERS_MAX 8
#define WORKER_SIZE 160

struct workers {
	char names[WORKERS_MAX][WORKER_SIZE]; /* those of the first rows of the table first */
	char *list[WORKERS_MAX];              /* of the message */
	size_t count;
};

/* Looks through all processes: some ten microseconds for each. root is "" but for tests. What
 * cannot be read is not there. */
void workers_find(struct workers *ret, const char *root);
