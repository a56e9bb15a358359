/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/recommend_rank.h"

#include <math.h>
#include <stdlib.h>

static int order(double one, double other)
{
	return (one > other) - (one < other);
}

/* The rest makes the order that of the input. */
static int by_cost(const void *one_, const void *other_)
{
	const struct priced *one = one_, *other = other_;
	int result = order(one->usd.likely, other->usd.likely);

	if (!result)
		result = order(one->wall_ns.likely, other->wall_ns.likely);
	if (!result)
		result = order((double)one->offer, (double)other->offer);
	return result ? result : order((double)one->hosts, (double)other->hosts);
}

static int rank_of(const struct priced *priced)
{
	return priced->front ? 0 : priced->marks ? 1 : 2;
}

static int by_rank(const void *one_, const void *other_)
{
	const struct priced *one = one_, *other = other_;
	int result = rank_of(one) - rank_of(other);

	return result ? result : by_cost(one, other);
}

static bool anything(const struct priced *priced)
{
	(void)priced;
	return true;
}

static bool stays(const struct priced *priced)
{
	return !priced->taken_back;
}

/* Of those that are sorted by cost: each of its kind that is faster than all of them before it. */
static void find_front(struct priced_list *list, bool (*of_kind)(const struct priced *))
{
	double fastest = INFINITY;

	for (size_t i = 0; i < list->count; i++) {
		struct priced *priced = &list->items[i];

		if (!of_kind(priced) || priced->wall_ns.likely >= fastest * (1 - RECOMMEND_NEAR))
			continue;
		priced->front = true;
		fastest = priced->wall_ns.likely;
	}
}

/* By what each mark chooses: the least of that. */
static double cost_key(const struct priced *priced, const struct recommend_ask *ask)
{
	return priced->usd.likely;
}

static double wall_key(const struct priced *priced, const struct recommend_ask *ask)
{
	return priced->front ? priced->wall_ns.likely : INFINITY;
}

static double in_time_key(const struct priced *priced, const struct recommend_ask *ask)
{
	return priced->wall_ns.high <= ask->within_ns ? priced->usd.likely : INFINITY;
}

static double below_key(const struct priced *priced, const struct recommend_ask *ask)
{
	return priced->usd.high <= ask->below_usd ? priced->wall_ns.likely : INFINITY;
}

static const struct {
	double (*key)(const struct priced *priced, const struct recommend_ask *ask);
	double near; /* keys that differ by less are alike */
} KEYS[] = {
	[RECOMMEND_CHEAPEST] = { cost_key, 0 },
	[RECOMMEND_FASTEST] = { wall_key, RECOMMEND_NEAR },
	[RECOMMEND_IN_TIME] = { in_time_key, 0 },
	[RECOMMEND_BELOW] = { below_key, RECOMMEND_NEAR },
};

/* Of those that are alike the first: they are sorted by cost. */
static void choose(struct priced_list *list, const struct recommend_ask *ask,
		   enum recommend_mark mark)
{
	double least = INFINITY;

	for (size_t i = 0; i < list->count; i++)
		least = fmin(least, KEYS[mark].key(&list->items[i], ask));
	for (size_t i = 0; i < list->count && !isinf(least); i++)
		if (KEYS[mark].key(&list->items[i], ask) <= least * (1 + KEYS[mark].near)) {
			list->items[i].marks |= 1u << mark;
			return;
		}
}

void priced_rank(struct priced_list *list, const struct recommend_ask *ask)
{
	if (!list->count)
		return;
	qsort(list->items, list->count, sizeof(*list->items), by_cost);
	find_front(list, anything);
	find_front(list, stays);
	for (int mark = 0; mark < RECOMMEND_MARKS; mark++)
		choose(list, ask, mark);
	qsort(list->items, list->count, sizeof(*list->items), by_rank);
}
