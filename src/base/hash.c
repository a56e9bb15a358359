/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <endian.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>

#define SEEDS 4

struct state {
	uint64_t v0, v1, v2, v3;
};

static struct hash_seed seeds[SEEDS];
static pthread_once_t seeds_drawn = PTHREAD_ONCE_INIT;

static void draw_seeds(void)
{
	/* Up to 256 bytes are always complete (random(7)). Without entropy the hash still works. */
	if (getrandom(seeds, sizeof(seeds), 0) < 0)
		seeds[0].words[0] = (uintptr_t)&seeds;
}

struct hash_seed hash_seed(unsigned which)
{
	pthread_once(&seeds_drawn, draw_seeds);
	return seeds[which % SEEDS];
}

static uint64_t rotate(uint64_t word, unsigned bits)
{
	return word << bits | word >> (64 - bits);
}

static void mix(struct state *s, int rounds)
{
	while (rounds--) {
		s->v0 += s->v1;
		s->v1 = rotate(s->v1, 13) ^ s->v0;
		s->v0 = rotate(s->v0, 32);
		s->v2 += s->v3;
		s->v3 = rotate(s->v3, 16) ^ s->v2;
		s->v0 += s->v3;
		s->v3 = rotate(s->v3, 21) ^ s->v0;
		s->v2 += s->v1;
		s->v1 = rotate(s->v1, 17) ^ s->v2;
		s->v2 = rotate(s->v2, 32);
	}
}

static void absorb(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	mix(s, 2);
	s->v0 ^= word;
}

static struct state begin(struct hash_seed seed)
{
	return (struct state){ .v0 = seed.words[0] ^ 0x736f6d6570736575ULL,
			       .v1 = seed.words[1] ^ 0x646f72616e646f6dULL,
			       .v2 = seed.words[0] ^ 0x6c7967656e657261ULL,
			       .v3 = seed.words[1] ^ 0x7465646279746573ULL };
}

static void absorb_bytes(struct state *s, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	uint64_t word = 0;

	for (size_t left = len; left >= 8; left -= 8, at += 8) {
		memcpy(&word, at, 8);
		absorb(s, le64toh(word));
	}
	word = 0;
	if (len % 8)
		memcpy(&word, at, len % 8);
	absorb(s, le64toh(word) | (uint64_t)len << 56);
}

static uint64_t end(struct state *s)
{
	mix(s, 4);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

uint64_t hash_bytes(struct hash_seed seed, const void *bytes, size_t len)
{
	struct state s = begin(seed);

	absorb_bytes(&s, bytes, len);
	s.v2 ^= 0xff;
	return end(&s);
}

void hash_bytes_wide(struct hash_seed seed, const void *bytes, size_t len, uint64_t ret[2])
{
	struct state s = begin(seed);

	s.v1 ^= 0xee;
	absorb_bytes(&s, bytes, len);
	s.v2 ^= 0xee;
	ret[0] = end(&s);
	s.v1 ^= 0xdd;
	ret[1] = end(&s);
}
