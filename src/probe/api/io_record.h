/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/record.h"

#define PROBE_IO_BUCKETS 24

/* What came back of an image's requests to a block device since the last such record of it; those
 * of an image come before the record of its end. */
struct probe_io {
	struct probe_key key;
	uint64_t image_seq;
	const char *device;    /* as the kernel calls it: vda, nvme0n1; "": of no disk */
	const char *operation; /* read write flush other */
	uint64_t requests;     /* all of latencies */
	uint64_t bytes;        /* of those that did not fail */
	uint64_t failures;
	uint64_t unfinished; /* at the image's end: begun, and not seen to come back */
	uint64_t latency_ns; /* added */
	uint32_t latencies[PROBE_IO_BUCKETS]; /* 0: below 1 µs; k: 2^(k-1) to 2^k µs; the last also
						 all above */
};

struct probe_io_sums {     /* requests to block devices, since probe_open */
	uint64_t requests; /* of the whole host */
	uint64_t tracked;  /* of tracked processes */
};
struct probe;
/* 0 or -errno. */
int probe_io_sums(struct probe *probe, struct probe_io_sums *ret);
