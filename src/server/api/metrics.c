/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/metrics.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/clock.h"

#define COUNTER(words_name, field, words)                                                        \
	{                                                                                        \
		.name = (words_name), .help = (words), .offset = offsetof(struct metrics, field) \
	}

static const struct {
	const char *name, *help;
	size_t offset;
} COUNTERS[] = {
	COUNTER("tracer_lake_refused_requests", refused, "Requests without the right token."),
	COUNTER("tracer_lake_foreign_batches", foreign,
		"Batches of another host than their token's, and with records of its runs."),
	COUNTER("tracer_lake_limited_requests", limited,
		"Requests refused because they were beyond a limit of their token."),
	COUNTER("tracer_lake_batches", batches, "Batches made durable."),
	COUNTER("tracer_lake_duplicate_batches", duplicates, "Batches that were there already."),
	COUNTER("tracer_lake_records", records, "Records made durable."),
	COUNTER("tracer_lake_ingest_bytes", ingest_bytes, "Packed bytes of batches received."),
	COUNTER("tracer_lake_malformed_batches", malformed, "Batches that could not be read."),
	COUNTER("tracer_lake_unstored_batches", unstored, "Batches that the store failed on."),
	COUNTER("tracer_lake_settled_runs", settled, "Runs of which the summaries were stored."),
	COUNTER("tracer_lake_listings", listings, "Listings of accounts of providers."),
	COUNTER("tracer_lake_incomplete_listings", incomplete_listings,
		"Of these, those in which something was refused or failed."),
	COUNTER("tracer_lake_ended_listers", ended_listers,
		"Whether the process that lists accounts has ended: 0 or 1."),
	COUNTER("tracer_lake_timeouts", timeouts,
		"Connections closed because the request came too slowly."),
};

static uint_fast64_t read_counter(struct metrics *metrics, size_t offset)
{
	return atomic_load_explicit((atomic_uint_fast64_t *)((char *)metrics + offset),
				    memory_order_relaxed);
}

static void write_head(struct buffer *out, const char *name, const char *type, const char *help)
{
	buffer_printf(out, "# TYPE %s %s\n# HELP %s %s\n", name, type, name, help);
}

static void write_responses(struct metrics *metrics, struct buffer *out)
{
	write_head(out, "tracer_lake_responses", "counter", "Answers by class of HTTP status.");
	for (unsigned i = 0; i < METRICS_CLASSES; i++)
		buffer_printf(out, "tracer_lake_responses_total{class=\"%uxx\"} %" PRIuFAST64 "\n",
			      i + 1, atomic_load(&metrics->responses[i]));
}

static void write_gauges(const struct metrics_gauges *gauges, struct buffer *out)
{
	write_head(out, "tracer_lake_connections", "gauge", "Open connections.");
	buffer_printf(out, "tracer_lake_connections %u\n", gauges->connections);
	write_head(out, "tracer_lake_live_streams", "gauge", "Browsers that watch live.");
	buffer_printf(out, "tracer_lake_live_streams %u\n", gauges->live_streams);
	buffer_append_text(out, "# TYPE tracer_lake_start_time_seconds gauge\n"
				"# UNIT tracer_lake_start_time_seconds seconds\n");
	buffer_printf(out, "tracer_lake_start_time_seconds %.3f\n",
		      (double)gauges->started_at / (double)NS_PER_S);
}

void metrics_write(struct metrics *metrics, const struct metrics_gauges *gauges, struct buffer *out)
{
	buffer_append_text(out, "# TYPE tracer_lake info\n");
	buffer_append_text(out, "tracer_lake_info{version=\"" TRACER_VERSION "\"} 1\n");
	write_responses(metrics, out);
	for (size_t i = 0; i < sizeof(COUNTERS) / sizeof(COUNTERS[0]); i++) {
		write_head(out, COUNTERS[i].name, "counter", COUNTERS[i].help);
		buffer_printf(out, "%s_total %" PRIuFAST64 "\n", COUNTERS[i].name,
			      read_counter(metrics, COUNTERS[i].offset));
	}
	buffer_append_text(out, "# TYPE tracer_lake_ingest_seconds counter\n"
				"# UNIT tracer_lake_ingest_seconds seconds\n"
				"# HELP tracer_lake_ingest_seconds Time spent storing batches.\n");
	buffer_printf(out, "tracer_lake_ingest_seconds_total %.6f\n",
		      (double)atomic_load(&metrics->ingest_ns) / (double)NS_PER_S);
	write_gauges(gauges, out);
	buffer_append_text(out, "# EOF\n");
}

void metrics_count_response(struct metrics *metrics, unsigned status)
{
	if (status >= 100 && status < 100 * (METRICS_CLASSES + 1))
		metrics->responses[status / 100 - 1]++;
}
