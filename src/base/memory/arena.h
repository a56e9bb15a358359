/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* An allocator for objects that are freed together: takes memory from blocks, frees none of them
 * singly. */
struct arena {
	struct arena_block *first;
	size_t used, total; /* bytes used of the first block; bytes that were taken of all */
	size_t block_bytes; /* of a new block, at least; 0: 64 KiB */
};

/* Frees all of it. */
void arena_clear(struct arena *arena);
/* Memory, aligned for any type; NULL: there is none. arena_take: zeroed. */
void *arena_space(struct arena *arena, size_t size);
void *arena_take(struct arena *arena, size_t size);
/* A copy of a text, with a NUL behind it; NULL: no memory. */
char *arena_text(struct arena *arena, const char *text, size_t len);
