/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * What the kernel says of requests to a disk, by two ways that are not the probe's: its account of
 * the disk (Documentation/block/stat.rst), and perf's count of the tracepoint that the probe
 * listens to, too. Where the second is less a request's end was told to nobody (docs/signal.md,
 * What a kernel may not report).
 */
#define WITNESS_CPUS_MAX 256
enum { WITNESS_READ, WITNESS_WRITE, WITNESS_OPERATIONS };

struct witness {
	char stat[64]; /* the file of the account */
	int counters[WITNESS_OPERATIONS][WITNESS_CPUS_MAX];
	uint64_t before[WITNESS_OPERATIONS];
};

/* Any failure fails the cmocka test that asked. */
void witness_open(struct witness *ret, const char *disk);
void witness_close(struct witness *witness);
/* From now on. */
void witness_begin(struct witness *witness);
/* Requests that ended since, by the disk's account, and were told to nobody. */
uint64_t witness_untold(const struct witness *witness, int operation);
