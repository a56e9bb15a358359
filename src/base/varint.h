/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Integers as protobuf writes them: seven bits a byte, the lowest first, bit 7 set but in the last
 * one. */
#define VARINT_BYTES 10 /* at most */

/* How many bytes were written. */
static inline size_t varint_put(uint8_t *at, uint64_t value)
{
	size_t len = 0;

	for (; value > 0x7f; value >>= 7)
		at[len++] = (uint8_t)(value | 0x80);
	at[len++] = (uint8_t)value;
	return len;
}
