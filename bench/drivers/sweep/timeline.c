/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline.h"

#include <assert.h>

#include "../cost/chance.h"

double random_share(uint64_t seed, int64_t number)
{
	struct chance chance = { seed ^ ((uint64_t)number * 0xd1342543de82ef95) };

	return (double)chance_below(&chance, UINT64_C(1) << 53) / (double)(UINT64_C(1) << 53);
}

/* Where the phase goes on in the period of this number. */
static struct phase period(const struct phase *phase, int64_t number)
{
	int64_t since = phase->since + number * phase->every +
			(int64_t)(random_share(phase->seed, number) * (double)phase->shift);
	int64_t until = since + phase->lasts;

	return (struct phase){ .since = since,
			       .until = until < phase->until ? until : phase->until };
}

static int64_t common(const struct phase *one, int64_t since, int64_t until)
{
	int64_t first = one->since > since ? one->since : since;
	int64_t last = one->until < until ? one->until : until;

	return last > first ? last - first : 0;
}

int64_t phase_within(const struct phase *phase, int64_t since, int64_t until)
{
	int64_t sum = 0;

	if (!phase->every || until <= phase->since)
		return common(phase, since, until);
	for (int64_t i = (since - phase->since) / phase->every - 1;
	     phase->since + i * phase->every < until; i++) {
		struct phase one = period(phase, i < 0 ? 0 : i);

		if (i >= 0)
			sum += common(&one, since, until);
	}
	return sum;
}

int64_t phase_last(const struct phase *phase, int64_t at)
{
	if (at < phase->since)
		return 0;
	if (!phase->every)
		return at < phase->until ? at : phase->until;
	for (int64_t i = (at - phase->since) / phase->every; i >= 0; i--) {
		struct phase one = period(phase, i);

		if (one.since <= at && one.until > one.since)
			return at < one.until ? at : one.until;
	}
	return 0;
}

void timeline_add(struct timeline *timeline, struct phase phase)
{
	assert(timeline->count < PHASES);
	timeline->phases[timeline->count++] = phase;
}

int64_t timeline_last(const struct timeline *timeline, int64_t at)
{
	int64_t last = 0;

	for (unsigned i = 0; i < timeline->count; i++) {
		int64_t one = phase_last(&timeline->phases[i], at);

		last = one > last ? one : last;
	}
	return last;
}

bool timeline_holds(const struct timeline *timeline, int64_t at)
{
	return at > 0 && timeline_last(timeline, at) == at;
}
