/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/settle/settled_runs.h"

#include "base/clock.h"
#include "base/map.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct settled_runs {
	pthread_mutex_t lock;
	struct map *runs;     /* of ids (map_text_key) to struct entry, owned */
	size_t settled_count; /* entries that are settled */
	uint64_t mark;        /* grows with each change */
	uint64_t touched_all; /* the mark of the last settled_runs_touch_all */
	bool in_doubt;
};

struct entry {
	uint64_t settled; /* the mark at that time; 0: it is not settled */
	uint64_t touched; /* the mark of the last record; 0: none came */
	uint64_t touched_ns;
};

struct settled_runs *settled_runs_new(void)
{
	struct settled_runs *settled = calloc(1, sizeof(*settled));

	if (!settled)
		return NULL;
	settled->in_doubt = true;
	settled->runs = map_new(sizeof(struct map_text_key), SETTLED_RUNS_MAX);
	if (!settled->runs) {
		free(settled);
		return NULL;
	}
	pthread_mutex_init(&settled->lock, NULL);
	return settled;
}

static bool free_entry(const void *key, void *value, void *context)
{
	free(value);
	return true;
}

void settled_runs_free(struct settled_runs *settled)
{
	if (!settled)
		return;
	map_visit(settled->runs, free_entry, NULL);
	map_free(settled->runs);
	pthread_mutex_destroy(&settled->lock);
	free(settled);
}

static struct entry *find(const struct settled_runs *settled, const char *run_id)
{
	struct map_text_key key = map_text_key(run_id, strlen(run_id));

	return map_get(settled->runs, &key);
}

/* The entry of a run, made where it is missing. *ret_rc: -ENOSPC, -ENOMEM. */
static struct entry *obtain(struct settled_runs *settled, const char *run_id, int *ret_rc)
{
	struct map_text_key key = map_text_key(run_id, strlen(run_id));
	struct entry *entry = map_get(settled->runs, &key);

	*ret_rc = 0;
	if (entry)
		return entry;
	entry = calloc(1, sizeof(*entry));
	*ret_rc = entry ? map_put(settled->runs, &key, entry) : -ENOMEM;
	if (!*ret_rc)
		return entry;
	free(entry);
	return NULL;
}

int settled_runs_add(struct settled_runs *settled, const char *run_id)
{
	struct entry *entry;
	int rc;

	pthread_mutex_lock(&settled->lock);
	entry = obtain(settled, run_id, &rc);
	if (entry) {
		settled->settled_count += !entry->settled;
		entry->settled = ++settled->mark;
	}
	pthread_mutex_unlock(&settled->lock);
	return rc;
}

void settled_runs_doubt(struct settled_runs *settled, bool doubt)
{
	pthread_mutex_lock(&settled->lock);
	settled->in_doubt = doubt;
	pthread_mutex_unlock(&settled->lock);
}

bool settled_runs_in_doubt(struct settled_runs *settled)
{
	bool doubt;

	pthread_mutex_lock(&settled->lock);
	doubt = settled->in_doubt;
	pthread_mutex_unlock(&settled->lock);
	return doubt;
}

bool settled_runs_touch(struct settled_runs *settled, const char *run_id)
{
	bool was = true; /* of a run for which there is no room nothing is known */
	struct entry *entry;
	int rc;

	pthread_mutex_lock(&settled->lock);
	entry = obtain(settled, run_id, &rc);
	if (entry) {
		was = entry->settled || settled->in_doubt;
		settled->settled_count -= entry->settled != 0;
		*entry = (struct entry){ .touched = ++settled->mark,
					 .touched_ns = clock_monotonic_ns() };
	}
	pthread_mutex_unlock(&settled->lock);
	return was;
}

void settled_runs_touch_all(struct settled_runs *settled)
{
	pthread_mutex_lock(&settled->lock);
	settled->touched_all = ++settled->mark;
	pthread_mutex_unlock(&settled->lock);
}

bool settled_runs_any(struct settled_runs *settled)
{
	bool any;

	pthread_mutex_lock(&settled->lock);
	any = settled->settled_count || settled->in_doubt;
	pthread_mutex_unlock(&settled->lock);
	return any;
}

struct store_run_state settled_runs_state(struct settled_runs *settled, const char *run_id)
{
	struct store_run_state state = { 0 };
	const struct entry *entry;

	pthread_mutex_lock(&settled->lock);
	entry = find(settled, run_id);
	if (entry)
		state = (struct store_run_state){ entry->settled, entry->touched_ns };
	pthread_mutex_unlock(&settled->lock);
	return state;
}

uint64_t settled_runs_now(struct settled_runs *settled)
{
	uint64_t mark;

	pthread_mutex_lock(&settled->lock);
	mark = ++settled->mark;
	pthread_mutex_unlock(&settled->lock);
	return mark;
}

bool settled_runs_is_touched(struct settled_runs *settled, const char *run_id, uint64_t since)
{
	const struct entry *entry;
	bool touched;

	pthread_mutex_lock(&settled->lock);
	entry = find(settled, run_id);
	touched = settled->touched_all > since || (entry && entry->touched > since) ||
		  (!entry && map_count(settled->runs) >= SETTLED_RUNS_MAX);
	pthread_mutex_unlock(&settled->lock);
	return touched;
}
