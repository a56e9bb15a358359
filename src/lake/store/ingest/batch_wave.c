/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/batch_wave.h"

#include "base/map.h"
#include "lake/store/table.h"

#include <errno.h>
#include <stdlib.h>

#define KEYS_MAX (1u << 24)

struct batch_wave {
	struct map *keys; /* of the records */
	uint64_t table;   /* of the keys that are visited */
};

struct batch_wave *batch_wave_new(void)
{
	struct batch_wave *wave = calloc(1, sizeof(*wave));

	if (wave)
		wave->keys = map_new_of_texts(KEYS_MAX);
	if (wave && !wave->keys) {
		free(wave);
		return NULL;
	}
	return wave;
}

void batch_wave_free(struct batch_wave *wave)
{
	if (!wave)
		return;
	map_free(wave->keys);
	free(wave);
}

/* A key of two tables must differ. */
static struct map_text_key key_in(const struct batch_wave *wave, const struct map_text_key *key)
{
	return (struct map_text_key){ { key->words[0] ^ wave->table, key->words[1] } };
}

static int look(const struct map_text_key *key, void *context)
{
	const struct batch_wave *wave = context;
	struct map_text_key place = key_in(wave, key);

	return map_get(wave->keys, &place) ? -EEXIST : 0;
}

static int put(const struct map_text_key *key, void *context)
{
	struct batch_wave *wave = context;
	struct map_text_key place = key_in(wave, key);

	return map_put(wave->keys, &place, wave) == -ENOMEM ? -ENOMEM : 0;
}

static int visit(struct batch_wave *wave, const Signal__Batch *batch,
		 int (*visit_key)(const struct map_text_key *key, void *context))
{
	int rc = 0;

	for (size_t i = 0; i < TABLES_COUNT && !rc; i++) {
		wave->table = i;
		if (TABLES[i].keys[0])
			rc = table_visit_keys(&TABLES[i], batch, visit_key, wave);
	}
	return rc;
}

int batch_wave_add(struct batch_wave *wave, const Signal__Batch *batch)
{
	int rc = visit(wave, batch, look);

	return rc ? rc : visit(wave, batch, put);
}
