/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (64u << 10)

struct arena_block {
	struct arena_block *next;
	size_t size;
	alignas(max_align_t) char bytes[];
};

void arena_clear(struct arena *arena)
{
	while (arena->first) {
		struct arena_block *block = arena->first;

		arena->first = block->next;
		free(block);
	}
	*arena = (struct arena){ 0 };
}

void *arena_space(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->first;
	void *taken;

	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!block || block->size - arena->used < size) {
		size_t least = arena->block_bytes ? arena->block_bytes : BLOCK_BYTES;
		size_t bytes = size > least ? size : least;

		block = malloc(sizeof(*block) + bytes);
		if (!block)
			return NULL;
		*block = (struct arena_block){ .next = arena->first, .size = bytes };
		arena->first = block;
		arena->used = 0;
	}
	taken = block->bytes + arena->used;
	arena->used += size;
	arena->total += size;
	return taken;
}

void *arena_take(struct arena *arena, size_t size)
{
	void *taken = arena_space(arena, size);

	return taken ? memset(taken, 0, size) : NULL;
}

char *arena_text(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_space(arena, len + 1);

	if (!copy)
		return NULL;
	copy[len] = '\0';
	return memcpy(copy, text, len);
}
