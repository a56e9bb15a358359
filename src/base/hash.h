/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* A keyed hash: without the seed keys that collide cannot be found. SipHash-2-4 (Aumasson and
 * Bernstein, 2012). */
struct hash_seed {
	uint64_t words[2];
};

/* The seed of this process, made once from getrandom(). Each value of `which` has a seed of its
 * own, independent of the others. */
struct hash_seed hash_seed(unsigned which);
uint64_t hash_bytes(struct hash_seed seed, const void *bytes, size_t len);
/* SipHash with 128 bits of output, as its reference implementation defines it. */
void hash_bytes_wide(struct hash_seed seed, const void *bytes, size_t len, uint64_t ret[2]);
