/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * Requests to block devices, as the kernel side counts them (io.bpf.h): by process, device and
 * operation.
 */
#define IO_BUCKETS      24   /* 0: below 1 µs; k: 2^(k-1) to 2^k µs; the last: 4.2 s and more */
#define IO_DEVICE_SIZE  32   /* DISK_NAME_LEN */
#define IO_CHAIN_MAX    64   /* devices and operations of one image */
#define IO_ENTRIES_MAX  4096 /* of all live processes together */
#define IO_REQUESTS_MAX 4096 /* of tracked processes, under way at one time */

enum io_operation {
	IO_READ,
	IO_WRITE,
	IO_FLUSH, /* flush of the device's cache */
	IO_OTHER, /* discard, write zeroes, zones, passthrough commands */
	IO_OPERATIONS
};

struct io_key {
	__u64 start_ns;
	__u64 name; /* device number << 8 | operation + 1 */
	__u32 pid;
	__u32 unused;
};

/* Completed requests since the last record. */
struct io_counts {
	__u64 bytes; /* of requests that did not fail */
	__u64 latency_ns;
	__u64 failures;
	__u32 latencies[IO_BUCKETS]; /* one for each request */
};

struct io_entry {
	struct io_counts counts;
	__u64 next;      /* name of the next in its process's chain */
	__u32 image;     /* low bits of image_seq when the entry was made */
	__s32 under_way; /* begun and not completed */
	__u32 changed;   /* since the last record */
	__u32 unused;
	char device[IO_DEVICE_SIZE];
};

/* A request under way. key.pid 0: of no tracked process. */
struct io_request {
	struct io_key key;
	__u64 begun_ns;     /* CLOCK_MONOTONIC */
	__u64 allocated_ns; /* distinguishes it from a later request at the same address */
	__u64 bytes;        /* completed so far */
	__u32 image;
	__u32 unused;
};

/* The growth since the last such record of the same process, device and operation. */
struct io_record {
	struct io_counts counts;
	__u32 operation;  /* enum io_operation */
	__u32 unfinished; /* at the image's end: begun, but not seen to complete */
	char device[IO_DEVICE_SIZE];
};

/* Requests of all processes of the host, on one CPU. */
struct io_sums {
	__u64 requests, tracked;
};
