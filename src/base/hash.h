/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* A hash that hostile keys cannot collide without its seed: SipHash-2-4 (Aumasson and Bernstein,
 * 2012). */
struct hash_seed {
	uint64_t words[2];
};

/* The seed of this process, drawn once from getrandom(); `which` gives independent ones. */
struct hash_seed hash_seed(unsigned which);
uint64_t hash_bytes(struct hash_seed seed, const void *bytes, size_t len);
/* 128 bits of it, as its reference has them. */
void hash_bytes_wide(struct hash_seed seed, const void *bytes, size_t len, uint64_t ret[2]);
