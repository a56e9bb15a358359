/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Splits whole over weights: each part in proportion, what rounding leaves to the largest
 * remainders, of equal ones to the first. Σ parts = whole; all weights 0: parts are 0.
 * 0 ≤ whole < 2^60, each weight < 2^67 (or whole × the largest weight < 2^127). -ENOMEM. */
int cost_share_out(int64_t whole, const unsigned __int128 *weights, size_t count, int64_t *parts);
