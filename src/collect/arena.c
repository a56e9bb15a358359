#include "collect/arena.h"

#include <stdalign.h>
#include <stdbool.h>
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

void arena_reset(struct arena *arena)
{
	struct arena_block *kept = arena->first;

	if (!kept)
		return;
	arena->first = kept->next;
	arena_clear(arena);
	if (kept->size > BLOCK_BYTES) {
		free(kept);
		return;
	}
	kept->next = NULL;
	arena->first = kept;
}

void *arena_take(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->first;
	void *taken;

	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!block || block->size - arena->used < size) {
		size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;

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
	return memset(taken, 0, size);
}

static char *copy_text(struct arena *arena, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = arena_take(arena, size);

	return copy ? memcpy(copy, text, size) : NULL;
}

/* The copy of what a pointer in a message points to. */
static void *copy_pointee(struct arena *arena, ProtobufCType type, const void *pointee)
{
	if (!pointee)
		return NULL;
	if (type == PROTOBUF_C_TYPE_STRING)
		return copy_text(arena, pointee);
	return arena_copy_message(arena, pointee);
}

/* Lists of this contract are of texts or messages: arrays of pointers. */
static void *copy_list(struct arena *arena, ProtobufCType type, void *const *list, size_t count)
{
	void **copy = count ? arena_take(arena, count * sizeof(void *)) : NULL;

	for (size_t i = 0; copy && i < count; i++) {
		copy[i] = copy_pointee(arena, type, list[i]);
		if (!copy[i])
			return NULL;
	}
	return copy;
}

static int copy_field(struct arena *arena, const ProtobufCFieldDescriptor *field, char *message)
{
	void **pointer = (void **)(message + field->offset);
	const void *source = *pointer;

	if (field->label == PROTOBUF_C_LABEL_REPEATED) {
		size_t count = *(size_t *)(message + field->quantifier_offset);

		*pointer = copy_list(arena, field->type, source, count);
		return *pointer || !count ? 0 : -1;
	}
	/* protobuf-c's own empty text is compared by address: it must stay. */
	if (source == protobuf_c_empty_string)
		return 0;
	*pointer = copy_pointee(arena, field->type, source);
	return *pointer || !source ? 0 : -1;
}

void *arena_copy_message(struct arena *arena, const ProtobufCMessage *message)
{
	const ProtobufCMessageDescriptor *descriptor = message->descriptor;
	char *copy = arena_take(arena, descriptor->sizeof_message);

	if (!copy)
		return NULL;
	memcpy(copy, message, descriptor->sizeof_message);
	for (unsigned i = 0; i < descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
		bool points = field->type == PROTOBUF_C_TYPE_STRING ||
			      field->type == PROTOBUF_C_TYPE_MESSAGE;

		if (points && copy_field(arena, field, copy) < 0)
			return NULL;
	}
	return copy;
}
