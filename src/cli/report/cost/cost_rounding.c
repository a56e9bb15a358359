/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/cost/cost_rounding.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"

/*
 * Each row gets a fourth part, by which its cost was less than the next whole unit. So each row has
 * a whole sum, and what is left is to choose in each row the parts that are rounded up. A row
 * begins with those of which most would be cut. Then, as long as a part has too much in all rows
 * and another one too little, units move from one to the other along a path of rows (Cox,
 * Controlled rounding, 1987).
 */
#define SLACK COST_PARTS
#define WIDTH (COST_PARTS + 1)

typedef unsigned __int128 wide;

struct row {
	wide rest[WIDTH]; /* what is cut of the part, in `all`ths of a unit */
	bool is_up[WIDTH];
};

struct rounding {
	size_t count;
	struct row *rows;
	int64_t missing[WIDTH]; /* of the sums, until all are rounded */
};

/* Rounds up the part of which most was cut. */
static void round_up_one(struct rounding *rounding, struct row *row)
{
	size_t most = WIDTH;

	for (size_t part = 0; part < WIDTH; part++)
		if (!row->is_up[part] && row->rest[part] > 0 &&
		    (most == WIDTH || row->rest[part] > row->rest[most]))
			most = part;
	if (most == WIDTH)
		return;
	row->is_up[most] = true;
	rounding->missing[most]--;
}

/* The row in which rounding up `to` instead of `from` changes least; NULL: there is none. */
static struct row *find_move(const struct rounding *rounding, size_t from, size_t to)
{
	struct row *best = NULL;
	__int128 least = 0;

	for (size_t i = 0; i < rounding->count; i++) {
		struct row *row = &rounding->rows[i];
		__int128 change = (__int128)row->rest[from] - (__int128)row->rest[to];

		if (!row->is_up[from] || row->is_up[to] || row->rest[to] == 0 ||
		    (best && change >= least))
			continue;
		best = row;
		least = change;
	}
	return best;
}

static void move(struct rounding *rounding, size_t from, size_t to)
{
	struct row *row = find_move(rounding, from, to);

	if (!row)
		return;
	row->is_up[from] = false;
	row->is_up[to] = true;
	rounding->missing[from]++;
	rounding->missing[to]--;
}

/* The shortest path from a part that has too much: before[part] is the part before it. Returns a
 * part with too little; WIDTH: none can be reached. */
static size_t find_path(const struct rounding *rounding, size_t from, size_t before[WIDTH])
{
	size_t queue[WIDTH] = { from }, count = 1;
	bool seen[WIDTH] = { false };

	seen[from] = true;
	for (size_t i = 0; i < count; i++)
		for (size_t to = 0; to < WIDTH; to++) {
			if (seen[to] || !find_move(rounding, queue[i], to))
				continue;
			seen[to] = true;
			before[to] = queue[i];
			queue[count++] = to;
			if (rounding->missing[to] > 0)
				return to;
		}
	return WIDTH;
}

/* false: all parts add up. */
static bool improve(struct rounding *rounding)
{
	size_t before[WIDTH];

	for (size_t from = 0; from < WIDTH; from++) {
		size_t to = rounding->missing[from] < 0 ? find_path(rounding, from, before) : WIDTH;

		if (to == WIDTH)
			continue;
		for (; to != from; to = before[to])
			move(rounding, before[to], to);
		return true;
	}
	return false;
}

static void round_row(struct rounding *rounding, size_t index, const int64_t nusd[COST_PARTS],
		      wide all, wide units, int64_t ret[COST_PARTS])
{
	struct row *row = &rounding->rows[index];
	wide sum = 0;
	int64_t missing;

	for (size_t part = 0; part < COST_PARTS; part++) {
		wide product = (wide)nusd[part] * units;

		ret[part] = (int64_t)(product / all);
		row->rest[part] = product % all;
		rounding->missing[part] -= ret[part];
		sum += row->rest[part];
	}
	missing = (int64_t)((sum + all - 1) / all);
	row->rest[SLACK] = (wide)missing * all - sum;
	rounding->missing[SLACK] += missing;
	for (size_t part = 0; part < COST_PARTS; part++)
		rounding->missing[SLACK] += ret[part];
	for (; missing > 0; missing--)
		round_up_one(rounding, row);
}

int cost_round(const int64_t (*nusd)[COST_PARTS], size_t rows, const int64_t sums[COST_PARTS],
	       int64_t (*ret)[COST_PARTS])
{
	struct row *list CLEANUP(freep) = calloc(rows + 1, sizeof(*list));
	struct rounding rounding = { .count = rows, .rows = list };
	wide all = 0, units = 0;

	if (!list)
		return -ENOMEM;
	for (size_t part = 0; part < COST_PARTS; part++) {
		rounding.missing[part] = sums[part];
		rounding.missing[SLACK] -= sums[part];
		units += (wide)sums[part];
		for (size_t i = 0; i < rows; i++)
			all += (wide)nusd[i][part];
	}
	for (size_t i = 0; i < rows; i++)
		round_row(&rounding, i, nusd[i], all ? all : 1, units, ret[i]);
	while (improve(&rounding))
		;
	for (size_t i = 0; i < rows; i++)
		for (size_t part = 0; part < COST_PARTS; part++)
			ret[i][part] += list[i].is_up[part];
	return 0;
}
