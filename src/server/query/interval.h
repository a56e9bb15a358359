/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* A time in which a host was there. */
struct stretch {
	size_t host;
	int64_t since_at, until_at; /* ns */
};

/* Sorts by host and time, and joins what overlaps or lies at most gap_ns apart; empty ones go.
 * Returns how many are left. */
size_t stretch_join(struct stretch *stretches, size_t count, int64_t gap_ns);
