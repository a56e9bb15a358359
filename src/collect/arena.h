#pragma once
#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

/*
 * Memory for records that are made one by one and dropped together: taken from blocks in order,
 * never freed singly. After arena_reset the first block is kept, so that a quiet agent asks for
 * none.
 */
struct arena {
	struct arena_block *first;
	size_t used, total; /* of the first block; of all */
};

void arena_clear(struct arena *arena);
void arena_reset(struct arena *arena);
/* Zeroed and aligned for anything; NULL without memory. */
void *arena_take(struct arena *arena, size_t size);
/* A deep copy of a message (texts, lists and messages in it), as its descriptor says; NULL without
 * memory. Bytes fields and maps are not in this contract. */
void *arena_copy_message(struct arena *arena, const ProtobufCMessage *message);
