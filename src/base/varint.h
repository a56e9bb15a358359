/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Integers as protobuf encodes them: seven bits in each byte, the lowest first, bit 7 set in all
 * bytes but the last. */
#define VARINT_BYTES 10 /* at most */

/* Writes value at `at`. Returns the number of bytes. */
static inline size_t varint_put(uint8_t *at, uint64_t value)
{
	size_t len = 0;

	for (; value > 0x7f; value >>= 7)
		at[len++] = (uint8_t)(value | 0x80);
	at[len++] = (uint8_t)value;
	return len;
}

/* Reads one at *at, which is at most end, and moves *at behind it. False: it is cut off, beyond 64
 * bits, or longer than it needs to be. */
static inline bool varint_get(const uint8_t **at, const uint8_t *end, uint64_t *ret)
{
	uint64_t value = 0;

	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		uint64_t byte = *(*at)++;

		value |= (byte & 0x7f) << shift;
		if (byte < 0x80) {
			*ret = value;
			return (byte || !shift) && (shift < 63 || byte == 1);
		}
	}
	return false;
}
