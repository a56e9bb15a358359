/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/host_facts.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/map.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct facts {
	uint64_t memory_bytes, cpus;
	int64_t booted_at;
};

struct host_facts {
	pthread_mutex_t lock;
	struct map *hosts; /* of map_text_key to struct facts, owned */
	bool complete;     /* it has every host of the store */
};

static bool free_one(const void *key, void *value, void *context)
{
	free(value);
	return true;
}

struct host_facts *host_facts_new(void)
{
	struct host_facts *facts = calloc(1, sizeof(*facts));

	if (facts)
		facts->hosts = map_new_of_texts(HOST_FACTS_MAX);
	if (facts && !facts->hosts) {
		free(facts);
		return NULL;
	}
	if (facts)
		pthread_mutex_init(&facts->lock, NULL);
	return facts;
}

void host_facts_free(struct host_facts *facts)
{
	if (!facts)
		return;
	map_visit(facts->hosts, free_one, NULL);
	map_free(facts->hosts);
	pthread_mutex_destroy(&facts->lock);
	free(facts);
}

/* false: no memory. */
static bool key_of(const char *host_id, const char *boot_id, struct map_text_key *ret)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	buffer_append(&text, host_id, strlen(host_id) + 1);
	buffer_append(&text, boot_id, strlen(boot_id) + 1);
	if (!text.failed)
		*ret = map_text_key(text.data, text.len);
	return !text.failed;
}

bool host_facts_find(struct host_facts *facts, const char *host_id, const char *boot_id,
		     struct boundary_facts *ret)
{
	const struct facts *found;
	struct map_text_key key;
	bool complete;

	if (!key_of(host_id, boot_id, &key))
		return false;
	pthread_mutex_lock(&facts->lock);
	found = map_get(facts->hosts, &key);
	if (found) {
		ret->memory_bytes = found->memory_bytes;
		ret->cpus = found->cpus;
		ret->booted_at = found->booted_at;
	}
	complete = facts->complete;
	pthread_mutex_unlock(&facts->lock);
	return found || complete;
}

/* With the lock. */
static struct facts *find_or_add(struct host_facts *facts, const struct map_text_key *key)
{
	struct facts *found = map_get(facts->hosts, key);

	if (found)
		return found;
	if (map_count(facts->hosts) == HOST_FACTS_MAX) {
		struct map *hosts = map_new_of_texts(HOST_FACTS_MAX);

		if (!hosts)
			return NULL;
		map_visit(facts->hosts, free_one, NULL);
		map_free(facts->hosts);
		facts->hosts = hosts;
		facts->complete = false;
	}
	found = calloc(1, sizeof(*found));
	if (found && map_put(facts->hosts, key, found)) {
		free(found);
		found = NULL;
	}
	return found;
}

void host_facts_note(struct host_facts *facts, const char *host_id, const char *boot_id,
		     const struct boundary_facts *found)
{
	struct map_text_key key;
	struct facts *place;
	bool is_known = key_of(host_id, boot_id, &key);

	pthread_mutex_lock(&facts->lock);
	place = is_known ? find_or_add(facts, &key) : NULL;
	facts->complete = facts->complete && place;
	if (place)
		*place = (struct facts){ found->memory_bytes, found->cpus, found->booted_at };
	pthread_mutex_unlock(&facts->lock);
}

void host_facts_complete(struct host_facts *facts)
{
	pthread_mutex_lock(&facts->lock);
	facts->complete = true;
	pthread_mutex_unlock(&facts->lock);
}
