/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/* Numbers that look random and are the same for the same seed: splitmix64, public domain. */
struct chance {
	uint64_t state; /* at first the seed */
};

/* From 0 to below the limit, which is not 0. */
static inline uint64_t chance_below(struct chance *chance, uint64_t limit)
{
	uint64_t value = chance->state += 0x9e3779b97f4a7c15;

	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
	value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
	return (value ^ (value >> 31)) % limit;
}
