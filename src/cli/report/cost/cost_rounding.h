/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Used, reserved but unused, idle. */
#define COST_PARTS 3

/* Rounds the parts of costs to whole units so that they add up in both directions: each part, and
 * each row's cost, which is the sum of its parts, to the whole unit below or above it, and each
 * part of all rows to its sum. nusd ≥ 0, below 2^60 each; Σ sums is what all of nusd are in units,
 * each sum rounded down or up. With all nusd 0, so is ret. -ENOMEM. */
int cost_round(const int64_t (*nusd)[COST_PARTS], size_t rows, const int64_t sums[COST_PARTS],
	       int64_t (*ret)[COST_PARTS]);
