/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_io.h"

#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/lake/group.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

#define BUCKETS 24 /* see IoLatency in proto/signal.proto */

static const char *const sums[] = { "latency_ns", "requests",   "bytes",
				    "failures",   "unfinished", NULL };

static const struct column columns[] = {
	{ "name", "DISK", FORMAT_TEXT, 24 },
	{ "requests", "REQUESTS", FORMAT_COUNT, 0 },
	{ "bytes", "BYTES", FORMAT_BYTES, 0 },
	{ "mean_ns", "MEAN", FORMAT_NS, 0 },
	{ "most_ns", "99 % WITHIN", FORMAT_NS, 0 },
	{ "failures", "FAILED", FORMAT_COUNT, 0 },
	{ "unfinished", "UNFINISHED", FORMAT_COUNT, 0 },
	{ "histogram", "1 µs … 4 s", FORMAT_TEXT, 0 },
};

/* "vda read" */
static void name_disk(struct buffer *out, const json_t *row)
{
	const char *device = row_text(row, "device");

	print_safe(out, *device ? device : "no disk");
	buffer_append_char(out, ' ');
	print_safe(out, row_text(row, "operation"));
}

/* Adds up the buckets of the rows of this name. */
static void add_up(const json_t *io, const char *name, uint64_t counts[BUCKETS])
{
	const json_t *row;
	size_t i;

	memset(counts, 0, BUCKETS * sizeof(*counts));
	json_array_foreach(io, i, row)
	{
		const json_t *latencies = json_object_get(row, "latencies");
		struct buffer own CLEANUP(buffer_clear) = { 0 };

		buffer_init(&own, 0);
		name_disk(&own, row);
		for (size_t k = 0; k < BUCKETS && !own.failed && strcmp(own.data, name) == 0; k++)
			counts[k] += (uint64_t)json_integer_value(json_array_get(latencies, k));
	}
}

/* The end of the bucket that holds the 99th percentile; 0: the last bucket has no end. */
static uint64_t most_ns(const uint64_t counts[BUCKETS])
{
	uint64_t all = 0, seen = 0;
	size_t k = 0;

	for (size_t i = 0; i < BUCKETS; i++)
		all += counts[i];
	while (k + 1 < BUCKETS && (double)(seen += counts[k]) < 0.99 * (double)all)
		k++;
	return k + 1 < BUCKETS ? UINT64_C(1000) << k : 0;
}

/* One sign for each bucket, the highest for the fullest. */
static void draw(struct buffer *out, const uint64_t counts[BUCKETS])
{
	static const char *const signs[] = { "·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	uint64_t most = 1;

	for (size_t k = 0; k < BUCKETS; k++)
		most = counts[k] > most ? counts[k] : most;
	for (size_t k = 0; k < BUCKETS; k++)
		buffer_append_text(
			out,
			signs[counts[k] ? 1 + (size_t)((double)counts[k] / (double)most * 7) : 0]);
}

static void complete(json_t *group, const json_t *io)
{
	double requests = json_number_value(json_object_get(group, "requests"));
	double latency_ns = json_number_value(json_object_get(group, "latency_ns"));
	struct buffer histogram CLEANUP(buffer_clear) = { 0 };
	uint64_t counts[BUCKETS];

	if (requests <= 0)
		return;
	add_up(io, row_text(group, "name"), counts);
	json_object_set_new(group, "mean_ns", json_real(latency_ns / requests));
	if (most_ns(counts))
		json_object_set_new(group, "most_ns", json_integer((json_int_t)most_ns(counts)));
	buffer_init(&histogram, 0);
	draw(&histogram, counts);
	if (!histogram.failed)
		json_object_set_new(group, "histogram", json_string(histogram.data));
}

void report_io(FILE *out, const json_t *io)
{
	const struct grouping grouping = { name_disk, sums, 1 };
	json_t *groups CLEANUP(json_decrefp) = group_rows(io, &grouping);
	json_t *group;
	size_t i;

	if (json_array_size(groups) == 0)
		return;
	json_array_foreach(groups, i, group) complete(group, io);
	fputc('\n', out);
	print_table(out, groups, columns, sizeof(columns) / sizeof(*columns));
	if (json_array_size(io) >= CLIENT_PAGE)
		fprintf(out, "(of the %d uses that took longest)\n", CLIENT_PAGE);
}
