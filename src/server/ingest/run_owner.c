/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/run_owner.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/id.h"
#include "base/json.h"
#include "base/map.h"
#include "base/memory/arena.h"
#include "lake/store/store.h"

DEFINE_CLEANUP(struct map *, map_free)
DEFINE_CLEANUP(struct store_rows *, store_rows_free)

/* Host ids are kept once; a run points to that of its host. */
struct run_owners {
	pthread_mutex_t lock;
	struct map *runs;  /* by map_text_key of the run's id: struct owner */
	struct map *hosts; /* by map_text_key of the host's id: the same */
	struct owner *first;
	uint64_t resets; /* how often all was forgotten */
};

struct owner {
	struct owner *next;
	char host_id[];
};

static int reset(struct run_owners *owners)
{
	for (struct owner *owner = owners->first, *next; owner; owner = next) {
		next = owner->next;
		free(owner);
	}
	owners->first = NULL;
	owners->resets++;
	map_free(owners->runs);
	map_free(owners->hosts);
	owners->runs = map_new_of_texts(RUN_OWNERS_MAX);
	owners->hosts = map_new_of_texts(RUN_OWNERS_MAX);
	return owners->runs && owners->hosts ? 0 : -ENOMEM;
}

struct run_owners *run_owners_new(void)
{
	struct run_owners *owners = calloc(1, sizeof(*owners));

	if (!owners)
		return NULL;
	pthread_mutex_init(&owners->lock, NULL);
	if (reset(owners)) {
		run_owners_free(owners);
		return NULL;
	}
	return owners;
}

void run_owners_free(struct run_owners *owners)
{
	if (!owners)
		return;
	for (struct owner *owner = owners->first, *next; owner; owner = next) {
		next = owner->next;
		free(owner);
	}
	map_free(owners->runs);
	map_free(owners->hosts);
	pthread_mutex_destroy(&owners->lock);
	free(owners);
}

static struct map_text_key key_of(const char *text)
{
	return map_text_key(text, strlen(text));
}

static struct owner *owner_of_host(struct run_owners *owners, const char *host_id)
{
	struct map_text_key key = key_of(host_id);
	struct owner *owner = map_get(owners->hosts, &key);
	size_t size = strlen(host_id) + 1;

	if (owner)
		return owner;
	owner = malloc(sizeof(*owner) + size);
	if (!owner || map_put(owners->hosts, &key, owner)) {
		free(owner);
		return NULL;
	}
	memcpy(owner->host_id, host_id, size);
	owner->next = owners->first;
	owners->first = owner;
	return owner;
}

/* With the lock held. A run that has an owner keeps it. */
static int claim(struct run_owners *owners, const char *run_id, const char *host_id)
{
	struct map_text_key key = key_of(run_id);
	struct owner *owner;

	if (!*run_id || map_get(owners->runs, &key))
		return 0;
	owner = owner_of_host(owners, host_id);
	return owner ? map_put(owners->runs, &key, owner) : -ENOMEM;
}

/* Calls visit with the run id of each record until it returns other than 0, which is then returned.
 */
static int visit_runs(Signal__Batch *batch, int (*visit)(char **run_id, void *context),
		      void *context)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < batch->base.descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &batch->base.descriptor->fields[i], *run;
		char *base = (char *)batch;
		ProtobufCMessage **records;
		size_t count;

		if (field->label != PROTOBUF_C_LABEL_REPEATED ||
		    field->type != PROTOBUF_C_TYPE_MESSAGE)
			continue;
		run = protobuf_c_message_descriptor_get_field_by_name(field->descriptor, "run_id");
		if (!run || run->type != PROTOBUF_C_TYPE_STRING)
			continue;
		records = *(ProtobufCMessage ***)(void *)(base + field->offset);
		count = *(size_t *)(void *)(base + field->quantifier_offset);
		for (size_t r = 0; rc == 0 && r < count; r++)
			rc = visit((char **)(void *)((char *)records[r] + run->offset), context);
	}
	return rc;
}

/* The runs of a batch of which the owner is not known yet. */
struct unknown {
	struct run_owners *owners;
	struct map *seen;
	struct buffer text; /* a JSON array */
	struct json json;
	size_t count;
};

static int add_unknown(char **run_id, void *context)
{
	struct unknown *unknown = context;
	struct map_text_key key = key_of(*run_id);
	bool known;

	if (!**run_id || map_get(unknown->seen, &key))
		return 0;
	pthread_mutex_lock(&unknown->owners->lock);
	known = map_get(unknown->owners->runs, &key) != NULL;
	pthread_mutex_unlock(&unknown->owners->lock);
	if (!known) {
		json_text(&unknown->json, *run_id);
		unknown->count++;
	}
	return unknown->count > RUN_OWNERS_BATCH_MAX ? -E2BIG
						     : map_put(unknown->seen, &key, unknown);
}

static int look_up(struct run_owners *owners, struct store *store, const char *runs,
		   struct error *err)
{
	const struct store_param params[] = {
		{ .name = "runs", .type = STORE_TEXT, .text = runs },
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	/* Until all were forgotten, those of batches that are not stored yet are known. */
	int rc = owners->resets ? store_query(store, "run_owners", params, 1, &rows, err)
				: store_query_stored(store, "run_owners", params, 1, &rows, err);

	pthread_mutex_lock(&owners->lock);
	while (rc == 0 && store_next(rows))
		rc = claim(owners, store_text(rows, (size_t)store_column(rows, "run_id")),
			   store_text(rows, (size_t)store_column(rows, "host_id")));
	pthread_mutex_unlock(&owners->lock);
	return rc;
}

static int find_unknown(struct run_owners *owners, struct store *store, Signal__Batch *batch,
			struct error *err)
{
	CLEANUP(map_freep) struct map *seen = map_new_of_texts(1u << 20);
	struct unknown unknown = { .owners = owners, .seen = seen };
	int rc;

	if (!seen)
		return -ENOMEM;
	buffer_init(&unknown.text, 0);
	json_init(&unknown.json, &unknown.text, false);
	json_array_begin(&unknown.json);
	rc = visit_runs(batch, add_unknown, &unknown);
	json_array_end(&unknown.json);
	if (rc == 0 && unknown.text.failed)
		rc = -ENOMEM;
	if (rc == 0 && unknown.count)
		rc = look_up(owners, store, unknown.text.data, err);
	buffer_clear(&unknown.text);
	return rc;
}

struct replacing {
	struct run_owners *owners;
	struct arena *arena;
	const char *host_id;
	size_t count;
};

static int replace(char **run_id, void *context)
{
	struct replacing *replacing = context;
	struct map_text_key key = key_of(*run_id);
	const struct owner *owner = **run_id ? map_get(replacing->owners->runs, &key) : NULL;
	CLEANUP(buffer_clear) struct buffer both = { 0 };
	struct id id;
	char *own;

	if (!owner || strcmp(owner->host_id, replacing->host_id) == 0)
		return 0;
	buffer_init(&both, 0);
	buffer_printf(&both, "run %s of %s", *run_id, replacing->host_id);
	if (both.failed)
		return -ENOMEM;
	id = id_of(both.data, both.len);
	own = arena_text(replacing->arena, id.text, strlen(id.text));
	if (!own)
		return -ENOMEM;
	*run_id = own;
	replacing->count++;
	return 0;
}

/* Room for what the threads that call this may add meanwhile. */
static int make_room(struct run_owners *owners, uint64_t *ret_resets)
{
	int rc = 0;

	pthread_mutex_lock(&owners->lock);
	if (map_count(owners->runs) > RUN_OWNERS_MAX / 2)
		rc = reset(owners);
	*ret_resets = owners->resets;
	pthread_mutex_unlock(&owners->lock);
	return rc;
}

/* With the lock held. */
static int apply(struct run_owners *owners, Signal__Batch *batch, struct arena *arena,
		 size_t *ret_replaced)
{
	struct replacing replacing = { owners, arena, batch->host_id, 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < batch->n_runs; i++)
		rc = claim(owners, batch->runs[i]->run_id, batch->host_id);
	if (rc == 0)
		rc = visit_runs(batch, replace, &replacing);
	*ret_replaced = replacing.count;
	return rc;
}

int run_owners_apply(struct run_owners *owners, struct store *store, Signal__Batch *batch,
		     struct arena *arena, size_t *ret_replaced, struct error *err)
{
	bool applied = false;
	uint64_t resets;
	int rc = 0;

	/* Where all was forgotten since it was looked up, it is looked up again. */
	while (rc == 0 && !applied) {
		rc = make_room(owners, &resets);
		if (rc == 0)
			rc = find_unknown(owners, store, batch, err);
		pthread_mutex_lock(&owners->lock);
		applied = rc == 0 && owners->resets == resets;
		if (applied)
			rc = apply(owners, batch, arena, ret_replaced);
		pthread_mutex_unlock(&owners->lock);
	}
	if (rc == -E2BIG)
		return error_set(err, -EPROTO, "a batch may have records of %d runs at most",
				 RUN_OWNERS_BATCH_MAX);
	return rc == -ENOMEM || rc == -ENOSPC
		       ? error_set(err, -ENOMEM, "no memory for the runs of a batch")
		       : rc;
}
