/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* A time during which a host was up. */
struct interval {
	size_t host;
	int64_t since_at, until_at; /* ns */
};

/* Sorts by host and time, joins intervals that overlap or are at most gap_ns apart, and removes
 * empty ones. Returns how many are left. */
size_t intervals_join(struct interval *intervals, size_t count, int64_t gap_ns);
