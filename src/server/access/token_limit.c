/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/token_limit.h"

#include "base/clock.h"

#define WAIT_MAX_S 60

static double limit_of(uint64_t limit, double preset)
{
	return limit ? (double)limit : preset;
}

static double refill(double level, double per_s, double elapsed_s)
{
	double most = per_s * TOKEN_BURST_S;

	level += per_s * elapsed_s;
	return level < most ? level : most;
}

/* Seconds until the level is what is needed, rounded up. */
static unsigned wait_s(double level, double needed, double per_s)
{
	double seconds = needed > level ? (needed - level) / per_s : 0;

	return seconds < WAIT_MAX_S ? (unsigned)seconds + 1 : WAIT_MAX_S;
}

bool token_meter_take(struct token_meter *meter, const struct token_limits *limits, uint64_t now_ns,
		      size_t bytes, unsigned *ret_wait_s)
{
	double batches_per_s = limit_of(limits->batches_per_s, TOKEN_BATCHES_PER_S);
	double bytes_per_s = limit_of(limits->bytes_per_s, TOKEN_BYTES_PER_S);
	double most = bytes_per_s * TOKEN_BURST_S;
	double needed = (double)bytes < most ? (double)bytes : most;
	double elapsed_s = meter->filled_ns ? (double)(now_ns - meter->filled_ns) / (double)NS_PER_S
					    : TOKEN_BURST_S;
	unsigned batches_wait_s, bytes_wait_s;

	meter->batches = refill(meter->batches, batches_per_s, elapsed_s);
	meter->bytes = refill(meter->bytes, bytes_per_s, elapsed_s);
	meter->filled_ns = now_ns;
	if (meter->batches >= 1 && meter->bytes >= needed) {
		meter->batches -= 1;
		meter->bytes -= needed;
		return true;
	}
	batches_wait_s = wait_s(meter->batches, 1, batches_per_s);
	bytes_wait_s = wait_s(meter->bytes, needed, bytes_per_s);
	*ret_wait_s = batches_wait_s > bytes_wait_s ? batches_wait_s : bytes_wait_s;
	return false;
}

bool token_meter_enter(struct token_meter *meter, const struct token_limits *limits)
{
	uint64_t most =
		limits->requests_at_once ? limits->requests_at_once : TOKEN_REQUESTS_AT_ONCE;

	if (meter->requests >= most)
		return false;
	meter->requests++;
	return true;
}

void token_meter_leave(struct token_meter *meter)
{
	if (meter->requests)
		meter->requests--;
}
