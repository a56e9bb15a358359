/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/record.h"

#define PROBE_IO_BUCKETS 24

/* An image's requests to one block device that completed since the last such record. The records of
 * an image precede the record of its end. */
struct probe_io {
	struct probe_key key;
	uint64_t image_seq;
	const char *device;    /* the kernel's name: vda, nvme0n1; "": a queue without a disk */
	const char *operation; /* read write flush other */
	uint64_t requests;     /* the sum of latencies */
	uint64_t bytes;        /* of requests that did not fail */
	uint64_t failures;
	uint64_t unfinished; /* at the image's end: begun, but not seen to complete */
	uint64_t latency_ns; /* the sum over all requests */
	uint32_t latencies[PROBE_IO_BUCKETS]; /* 0: below 1 µs; k: 2^(k-1) to 2^k µs; the last one
						 also all above */
};

/* Requests to block devices since probe_open. */
struct probe_io_sums {
	uint64_t requests; /* of all processes of the host */
	uint64_t tracked;  /* of tracked processes */
};
struct probe;
/* 0 or -errno. */
int probe_io_sums(struct probe *probe, struct probe_io_sums *ret);
