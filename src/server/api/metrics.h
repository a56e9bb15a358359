/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

/* What the server counts about itself, for GET /metrics. Any thread may add. */
#define METRICS_CLASSES 5 /* of HTTP statuses: 1xx to 5xx */

struct metrics {
	atomic_uint_fast64_t responses[METRICS_CLASSES];
	atomic_uint_fast64_t refused; /* no token, a wrong one, or one without the scope */
	atomic_uint_fast64_t
		foreign; /* batches, or their records, of another host than the token's */
	atomic_uint_fast64_t limited; /* requests beyond a limit of their token */
	atomic_uint_fast64_t batches, duplicates, records, ingest_bytes;
	atomic_uint_fast64_t malformed; /* batches that cannot be read */
	atomic_uint_fast64_t unstored;  /* batches that the store failed on */
	atomic_uint_fast64_t ingest_ns;
	atomic_uint_fast64_t settled;                       /* runs that got their summaries */
	atomic_uint_fast64_t listings, incomplete_listings; /* of accounts of providers */
	atomic_uint_fast64_t ended_listers; /* the process that makes them: 0 or 1 */
	atomic_uint_fast64_t timeouts;      /* connections ended because of a slow client */
};

struct buffer;
struct metrics_gauges {
	unsigned connections, live_streams;
	int64_t started_at; /* ns since the epoch */
};

/* Appends OpenMetrics text. */
void metrics_write(struct metrics *metrics, const struct metrics_gauges *gauges,
		   struct buffer *out);
void metrics_count_response(struct metrics *metrics, unsigned status);
