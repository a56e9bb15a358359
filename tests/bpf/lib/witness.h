/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * Two counts of requests to a disk that do not depend on the probe: the kernel's own account of the
 * disk (Documentation/block/stat.rst), and perf's count of the tracepoint that the probe uses as
 * well. If the second is less, the kernel did not report the end of a request (docs/signal.md, What
 * a kernel may not report).
 */
#define WITNESS_CPUS_MAX 256
enum { WITNESS_READ, WITNESS_WRITE, WITNESS_OPERATIONS };

struct witness {
	char stat[64]; /* the file of the account */
	int counters[WITNESS_OPERATIONS][WITNESS_CPUS_MAX];
	uint64_t before[WITNESS_OPERATIONS];
};

/* Any failure fails the cmocka test. */
void witness_open(struct witness *ret, const char *disk);
void witness_close(struct witness *witness);
/* From now on. */
void witness_begin(struct witness *witness);
/* Requests that ended since, by the disk's account, and were not reported by the kernel. */
uint64_t witness_unreported(const struct witness *witness, int operation);
