/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Rounds shares of a whole number of ns so that they add up to it exactly: the largest one takes
 * what rounding left. A share that is no number counts as 0. count is at least 1. Pure. */
void share_out(const double *shares, size_t count, int64_t total, int64_t *ret);
