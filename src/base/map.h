/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A hash table from keys of one fixed length (bytes, copied; padding must be zeroed by the caller)
 * to pointers (not owned), with a hard cap. Keys are hashed with a seed drawn at start, so that
 * hostile keys cannot collide at will.
 */
struct map;

/* A table that holds at most cap entries. NULL only without memory. */
struct map *map_new(size_t key_len, size_t cap);
/* Frees the table, not the values. NULL is fine. */
void map_free(struct map *map);

size_t map_count(const struct map *map);
/* The value, or NULL: not found. */
void *map_get(const struct map *map, const void *key);
/* Sets a value (not NULL), replacing one that is there. 0, -ENOSPC at the cap, -ENOMEM. */
int map_put(struct map *map, const void *key, void *value);
/* Removes and returns the value, or NULL: not found. */
void *map_remove(struct map *map, const void *key);

/* Visits each entry; `visit` returns false to stop. It may remove the entry it is called with, and
 * no other, and may not put. */
void map_visit(struct map *map, bool (*visit)(const void *key, void *value, void *context),
	       void *context);

/* Keys that are texts: 16 bytes that stand for one (128 bits of a keyed hash: equal keys mean equal
 * texts). */
struct map_text_key {
	uint64_t words[2];
};
struct map_text_key map_text_key(const char *text, size_t len);
/* A table with such keys, which are not hashed again. */
struct map *map_new_of_texts(size_t cap);
