/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/step_match.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* A step without a partner. */
struct single {
	size_t pair; /* its place in the pairs */
	bool is_to;
	struct step_mark mark;
};

struct singles {
	struct single *items;
	size_t count;
};

static int by_arguments(const void *one_, const void *other_)
{
	const struct single *one = one_, *other = other_;

	return strcmp(one->mark.arguments, other->mark.arguments);
}

static int by_both(const void *one_, const void *other_)
{
	const struct single *one = one_, *other = other_;
	int order = by_arguments(one, other);

	return order ? order : strcmp(one->mark.tools, other->mark.tools);
}

static void pair_by_name(const struct step_groups *from, const struct step_groups *to,
			 struct step_pairs *pairs)
{
	size_t i = 0, k = 0;

	while (i < from->count || k < to->count) {
		int order = i == from->count ? 1
			    : k == to->count ? -1
					     : strcmp(from->items[i].step, to->items[k].step);

		pairs->items[pairs->count++] = (struct step_pair){ order <= 0 ? i++ : STEP_NONE,
								   order >= 0 ? k++ : STEP_NONE };
	}
}

static void find_singles(const struct step_pairs *pairs, const struct step_mark *from_marks,
			 const struct step_mark *to_marks, struct singles *singles)
{
	singles->count = 0;
	for (size_t i = 0; i < pairs->count; i++) {
		const struct step_pair *pair = &pairs->items[i];
		const struct step_mark *mark;

		if (pair->from != STEP_NONE && pair->to != STEP_NONE)
			continue;
		mark = pair->from == STEP_NONE ? &to_marks[pair->to] : &from_marks[pair->from];
		if (*mark->arguments)
			singles->items[singles->count++] =
				(struct single){ i, pair->from == STEP_NONE, *mark };
	}
}

/* Removes pairs of nothing. */
static void close_up(struct step_pairs *pairs)
{
	size_t count = 0;

	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->items[i].from != STEP_NONE || pairs->items[i].to != STEP_NONE)
			pairs->items[count++] = pairs->items[i];
	pairs->count = count;
}

/* Joins two that are equal, one of each run, and that no third one is equal to. */
static void join_unique(struct singles *singles, struct step_pairs *pairs,
			int (*order)(const void *, const void *))
{
	struct single *items = singles->items;

	qsort(items, singles->count, sizeof(*items), order);
	for (size_t i = 0, next; i < singles->count; i = next) {
		for (next = i + 1; next < singles->count && order(&items[i], &items[next]) == 0;)
			next++;
		if (next - i != 2 || items[i].is_to == items[i + 1].is_to)
			continue;
		const struct single *from = &items[items[i].is_to ? i + 1 : i];
		const struct single *to = &items[items[i].is_to ? i : i + 1];

		pairs->items[from->pair].to = pairs->items[to->pair].to;
		pairs->items[to->pair].to = STEP_NONE;
	}
}

int step_match(const struct step_groups *from, const struct step_mark *from_marks,
	       const struct step_groups *to, const struct step_mark *to_marks,
	       struct step_pairs *ret)
{
	static int (*const ORDERS[])(const void *, const void *) = { by_both, by_arguments };
	CLEANUP(freep)
	struct single *items = calloc(from->count + to->count + 1, sizeof(struct single));
	struct singles singles = { items, 0 };

	ret->items = calloc(from->count + to->count + 1, sizeof(*ret->items));
	if (!items || !ret->items)
		return -ENOMEM;
	pair_by_name(from, to, ret);
	for (size_t i = 0; i < sizeof(ORDERS) / sizeof(ORDERS[0]); i++) {
		find_singles(ret, from_marks, to_marks, &singles);
		join_unique(&singles, ret, ORDERS[i]);
		close_up(ret);
	}
	return 0;
}

void step_pairs_clear(struct step_pairs *pairs)
{
	free(pairs->items);
	*pairs = (struct step_pairs){ 0 };
}
