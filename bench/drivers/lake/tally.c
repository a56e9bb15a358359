/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void tally_latency(struct tally *tally, uint64_t ns)
{
	uint64_t us = ns / 1000;

	if (tally->count == tally->capacity) {
		size_t capacity = tally->capacity ? tally->capacity * 2 : 1 << 16;
		uint32_t *larger = realloc(tally->latencies_us, capacity * sizeof(*larger));

		if (!larger)
			return;
		tally->latencies_us = larger;
		tally->capacity = capacity;
	}
	tally->latencies_us[tally->count++] = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
}

static int compare(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

static double part_ms(const struct tally *tally, double part)
{
	size_t at = (size_t)(part * (double)tally->count);

	if (!tally->count)
		return 0;
	return tally->latencies_us[at < tally->count ? at : tally->count - 1] / 1e3;
}

static double cpu_s(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

void tally_write(struct tally *tally, FILE *out)
{
	size_t seconds = (size_t)tally->lasted_s;

	if (tally->count)
		qsort(tally->latencies_us, tally->count, sizeof(uint32_t), compare);
	fprintf(out,
		"{\"batches\": %" PRIu64 ", \"duplicates\": %" PRIu64 ", \"samples\": %" PRIu64
		", \"executions\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"refused\": %" PRIu64
		", \"errors\": %" PRIu64 ", \"seconds\": %.3f, \"cpu_s\": %.3f",
		tally->batches, tally->duplicates, tally->samples, tally->executions, tally->bytes,
		tally->refused, tally->errors, tally->lasted_s, cpu_s());
	fprintf(out, ", \"p50_ms\": %.2f, \"p95_ms\": %.2f, \"p99_ms\": %.2f, \"max_ms\": %.2f",
		part_ms(tally, 0.5), part_ms(tally, 0.95), part_ms(tally, 0.99), part_ms(tally, 1));
	fprintf(out, ", \"samples_in\": [");
	for (size_t i = 0; i < seconds && i < TALLY_SECONDS; i++)
		fprintf(out, "%s%" PRIu64, i ? ", " : "", tally->samples_in[i]);
	fprintf(out, "]}\n");
	fflush(out);
}

void tally_clear(struct tally *tally)
{
	free(tally->latencies_us);
	memset(tally, 0, sizeof(*tally));
}
