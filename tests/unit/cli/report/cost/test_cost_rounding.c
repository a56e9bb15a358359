/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/report/cost/cost_rounding.h"

#define ROWS_MAX 40

static uint64_t random_state;

static uint64_t next_random(uint64_t below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (random_state >> 33) % below;
}

/* Parts of several sizes; every third one is nothing. */
static void fill(int64_t (*nusd)[COST_PARTS], size_t rows)
{
	static const uint64_t sizes[] = { 10, 1000, 100000, 100000000000 };

	for (size_t i = 0; i < rows; i++)
		for (size_t part = 0; part < COST_PARTS; part++)
			nusd[i][part] =
				next_random(3) ? (int64_t)next_random(sizes[next_random(4)]) : 0;
}

/* Each is rounded to one of its two neighbours, in units of which all nusd are `units`. */
static void is_neighbour(int64_t nusd, int64_t all, int64_t units, int64_t shown)
{
	__int128 exact = (__int128)nusd * units, got = (__int128)shown * all;

	assert_true(got == exact || (got - exact < all && exact - got < all));
}

/* The sums as a caller has them: Σ = what all is in units, each rounded to a neighbour. */
static int64_t sum_up(const int64_t (*nusd)[COST_PARTS], size_t rows, int64_t unit,
		      int64_t sums[COST_PARTS])
{
	int64_t all = 0, units, left;

	for (size_t part = 0; part < COST_PARTS; part++)
		for (size_t i = 0; i < rows; i++)
			all += nusd[i][part];
	left = units = (all + unit / 2) / unit;
	for (size_t part = 0; part < COST_PARTS; part++) {
		__int128 of_part = 0;

		for (size_t i = 0; i < rows; i++)
			of_part += nusd[i][part];
		sums[part] = all ? (int64_t)(of_part * units / all) : 0;
		left -= sums[part];
	}
	for (size_t part = 0; left > 0 && part < COST_PARTS; part++) {
		__int128 of_part = 0;

		for (size_t i = 0; i < rows; i++)
			of_part += nusd[i][part];
		if (of_part * units % all == 0)
			continue;
		sums[part]++;
		left--;
	}
	return all;
}

static void adds_up(const int64_t (*nusd)[COST_PARTS], size_t rows, int64_t unit)
{
	int64_t shown[ROWS_MAX][COST_PARTS], sums[COST_PARTS], got[COST_PARTS] = { 0 };
	int64_t all = sum_up(nusd, rows, unit, sums), units = sums[0] + sums[1] + sums[2];

	assert_int_equal(cost_round(nusd, rows, sums, shown), 0);
	for (size_t i = 0; i < rows; i++) {
		for (size_t part = 0; part < COST_PARTS; part++) {
			got[part] += shown[i][part];
			is_neighbour(nusd[i][part], all, units, shown[i][part]);
			assert_true(nusd[i][part] > 0 || shown[i][part] == 0);
		}
		is_neighbour(nusd[i][0] + nusd[i][1] + nusd[i][2], all, units,
			     shown[i][0] + shown[i][1] + shown[i][2]);
	}
	for (size_t part = 0; part < COST_PARTS; part++)
		assert_int_equal(got[part], sums[part]);
}

static void any_parts_add_up_in_both_directions(void **state)
{
	static const int64_t units[] = { 1, 1000, 100000, 10000000 };
	int64_t nusd[ROWS_MAX][COST_PARTS];

	for (random_state = 1; random_state < 4000;) {
		uint64_t seed = random_state;
		size_t rows = next_random(ROWS_MAX) + 1;

		fill(nusd, rows);
		adds_up((const int64_t(*)[COST_PARTS])nusd, rows, units[seed % 4]);
		random_state = seed + 1;
	}
}

/* Each row alone would show 0.33 0.33 0.33, of 1. */
static void thirds_are_shown_as_one_and_each_column_as_one(void **state)
{
	static const int64_t nusd[3][COST_PARTS] = { { 5, 5, 5 }, { 5, 5, 5 }, { 5, 5, 5 } };

	adds_up(nusd, 3, 15);
}

static void nothing_is_nothing(void **state)
{
	static const int64_t nusd[2][COST_PARTS] = { { 0 } }, sums[COST_PARTS] = { 0 };
	int64_t shown[2][COST_PARTS] = { { 7, 7, 7 }, { 7, 7, 7 } };

	assert_int_equal(cost_round(nusd, 2, sums, shown), 0);
	assert_int_equal(shown[0][0] + shown[1][2], 0);
	assert_int_equal(cost_round(nusd, 0, sums, shown), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_parts_add_up_in_both_directions),
		cmocka_unit_test(thirds_are_shown_as_one_and_each_column_as_one),
		cmocka_unit_test(nothing_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
