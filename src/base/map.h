/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A hash table with a hard cap, from keys of one fixed length (copied; the caller zeroes padding)
 * to pointers (not owned). Keys are hashed with a random seed of the process, so that hostile keys
 * cannot be chosen to collide.
 */
struct map;

/* A table of at most cap entries. NULL: no memory. */
struct map *map_new(size_t key_len, size_t cap);
/* Frees the table, not the values. NULL does nothing. */
void map_free(struct map *map);

size_t map_count(const struct map *map);
/* The value, or NULL: not found. */
void *map_get(const struct map *map, const void *key);
/* Sets the value (not NULL) of a key. 0, -ENOSPC at the cap, -ENOMEM. */
int map_put(struct map *map, const void *key, void *value);
/* Removes and returns the value, or NULL: not found. */
void *map_remove(struct map *map, const void *key);

/* Calls `visit` for each entry until it returns false. `visit` may remove the entry that it is
 * called for, no other, and may not put. */
void map_visit(struct map *map, bool (*visit)(const void *key, void *value, void *context),
	       void *context);

/* A key made from a text of any length: 128 bits of a keyed hash, so that equal keys mean equal
 * texts. */
struct map_text_key {
	uint64_t words[2];
};
struct map_text_key map_text_key(const char *text, size_t len);
/* A table with such keys, which are not hashed again. */
struct map *map_new_of_texts(size_t cap);
