/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS 64

struct entry {
	struct entry *next;
	uint64_t hash;
	void *value;
	unsigned char key[];
};

/* Chained: adding or removing an entry does not move others, so that map_visit allows removal. */
struct map {
	size_t key_len, cap, count, buckets; /* buckets: a power of two */
	bool hashed;                         /* keys are already hashes */
	struct hash_seed seed;
	struct entry **chains;
};

struct map *map_new(size_t key_len, size_t cap)
{
	struct map *map = calloc(1, sizeof(*map));

	if (!map)
		return NULL;
	*map = (struct map){ .key_len = key_len,
			     .cap = cap,
			     .buckets = FIRST_BUCKETS,
			     .seed = hash_seed(0),
			     .chains = calloc(FIRST_BUCKETS, sizeof(struct entry *)) };
	if (!map->chains) {
		free(map);
		return NULL;
	}
	return map;
}

void map_free(struct map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->buckets; i++) {
		while (map->chains[i]) {
			struct entry *entry = map->chains[i];

			map->chains[i] = entry->next;
			free(entry);
		}
	}
	free(map->chains);
	free(map);
}

struct map *map_new_of_texts(size_t cap)
{
	struct map *map = map_new(sizeof(struct map_text_key), cap);

	if (map)
		map->hashed = true;
	return map;
}

static uint64_t hash_of(const struct map *map, const void *key)
{
	const struct map_text_key *text = key;

	return map->hashed ? text->words[0] : hash_bytes(map->seed, key, map->key_len);
}

size_t map_count(const struct map *map)
{
	return map->count;
}

/* The link that points to the entry, or the NULL link at the end of its chain. */
static struct entry **find(const struct map *map, const void *key, uint64_t hash)
{
	struct entry **link = &map->chains[hash & (map->buckets - 1)];

	while (*link && ((*link)->hash != hash || memcmp((*link)->key, key, map->key_len) != 0))
		link = &(*link)->next;
	return link;
}

void *map_get(const struct map *map, const void *key)
{
	struct entry *entry = *find(map, key, hash_of(map, key));

	return entry ? entry->value : NULL;
}

/* Without memory the table does not grow, and its chains stay long. */
static void grow(struct map *map)
{
	size_t buckets = map->buckets * 2;
	struct entry **chains = calloc(buckets, sizeof(struct entry *));

	if (!chains)
		return;
	for (size_t i = 0; i < map->buckets; i++) {
		while (map->chains[i]) {
			struct entry *entry = map->chains[i];
			struct entry **chain = &chains[entry->hash & (buckets - 1)];

			map->chains[i] = entry->next;
			entry->next = *chain;
			*chain = entry;
		}
	}
	free(map->chains);
	map->chains = chains;
	map->buckets = buckets;
}

int map_put(struct map *map, const void *key, void *value)
{
	uint64_t hash = hash_of(map, key);
	struct entry *entry = *find(map, key, hash), **chain;

	if (entry) {
		entry->value = value;
		return 0;
	}
	if (map->count >= map->cap)
		return -ENOSPC;
	entry = malloc(sizeof(*entry) + map->key_len);
	if (!entry)
		return -ENOMEM;
	if (map->count >= map->buckets)
		grow(map);
	chain = &map->chains[hash & (map->buckets - 1)];
	entry->next = *chain;
	entry->hash = hash;
	entry->value = value;
	memcpy(entry->key, key, map->key_len);
	*chain = entry;
	map->count++;
	return 0;
}

void *map_remove(struct map *map, const void *key)
{
	struct entry **link = find(map, key, hash_of(map, key));
	struct entry *entry = *link;
	void *value;

	if (!entry)
		return NULL;
	value = entry->value;
	*link = entry->next;
	free(entry);
	map->count--;
	return value;
}

void map_visit(struct map *map, bool (*visit)(const void *key, void *value, void *context),
	       void *context)
{
	for (size_t i = 0; i < map->buckets; i++) {
		struct entry *next;

		for (struct entry *entry = map->chains[i]; entry; entry = next) {
			next = entry->next;
			if (!visit(entry->key, entry->value, context))
				return;
		}
	}
}

struct map_text_key map_text_key(const char *text, size_t len)
{
	struct map_text_key key;

	hash_bytes_wide(hash_seed(1), text, len, key.words);
	return key;
}
