/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * What senders saw: how many batches were acknowledged, with how many rows in each second, and how
 * long each acknowledgement took.
 */
#define TALLY_SECONDS 86400

struct tally {
	uint64_t batches, duplicates; /* acknowledged; of these: stored before */
	uint64_t samples, executions; /* in them: rows of samples; executions that are new */
	uint64_t bytes;               /* packed */
	uint64_t refused;             /* answers 429 and 503 */
	uint64_t errors; /* connections that failed, other answers, no answer in time */
	uint64_t samples_in[TALLY_SECONDS]; /* by the second since the beginning */
	double lasted_s;
	uint32_t *latencies_us; /* of each acknowledgement that counts */
	size_t count, capacity;
};

/* Keeps one latency; without memory it is dropped. */
void tally_latency(struct tally *tally, uint64_t ns);
/* Writes one JSON object in a line: the counts, p50_ms to max_ms, samples by second, the CPU time
 * of this process. Sorts latencies_us. */
void tally_write(struct tally *tally, FILE *out);
void tally_clear(struct tally *tally);
