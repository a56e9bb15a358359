/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
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
