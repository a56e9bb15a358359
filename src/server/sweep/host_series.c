/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/host_series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "server/query/query.h"
#include "server/sweep/item_list.h"
#include "sweep/sweep_host.h"

#define HOUR_NS    (3600 * NS_PER_S)
#define HOSTS_MAX  100000
#define NAME_BYTES 256 /* of the id of a host */

struct host_items {
	char *items; /* by time */
	size_t count;
};

struct host_series {
	const struct host_series_kind *kind;
	struct map *hosts;          /* struct host_items */
	int64_t since_at, until_at; /* what was read; 0: nothing */
	int64_t renewed_at;
};

static void minute_of(const struct store_rows *rows, const int *columns, void *item)
{
	struct sweep_minute *minute = item;

	minute->lasted_s = store_double(rows, (size_t)columns[0]);
	minute->cpu = store_double(rows, (size_t)columns[1]);
	minute->tracked = store_double(rows, (size_t)columns[2]);
	minute->memory = store_is_null(rows, (size_t)columns[3])
				 ? -1
				 : store_double(rows, (size_t)columns[3]);
	minute->disk_bytes_s = store_double(rows, (size_t)columns[4]);
	minute->net_bytes_s = store_double(rows, (size_t)columns[5]);
}

const struct host_series_kind HOST_MINUTES = {
	.query = "waste_minutes",
	.until = "now_at",
	.size = sizeof(struct sweep_minute),
	.unit_ns = 60 * NS_PER_S,
	.partial = true,
	.keep_ns = SWEEP_MINUTES * 60 * NS_PER_S,
	.again_ns = 2 * HOUR_NS,
	.renew_ns = HOUR_NS,
	.chunk_ns = HOUR_NS,
	.read = minute_of,
	.columns = (const char *const[]){ "lasted_s", "cpu", "tracked", "memory", "disk_bytes_s",
					  "net_bytes_s", NULL },
};

static void hour_of(const struct store_rows *rows, const int *columns, void *item)
{
	struct sweep_hour *hour = item;

	hour->known_s = store_double(rows, (size_t)columns[0]);
	hour->used_s = store_double(rows, (size_t)columns[1]);
	hour->cpu_mean = store_double(rows, (size_t)columns[2]);
	hour->cpu_peak = store_double(rows, (size_t)columns[3]);
	hour->memory_peak = store_is_null(rows, (size_t)columns[4])
				    ? -1
				    : store_double(rows, (size_t)columns[4]);
	hour->net_bytes = store_double(rows, (size_t)columns[5]);
	hour->tracked_mean = store_double(rows, (size_t)columns[6]);
	hour->tracked_peak = store_double(rows, (size_t)columns[7]);
}

const struct host_series_kind HOST_HOURS = {
	.query = "waste_hours",
	.until = "until_at",
	.size = sizeof(struct sweep_hour),
	.unit_ns = HOUR_NS,
	.keep_ns = SWEEP_HOURS * HOUR_NS,
	.again_ns = 2 * HOUR_NS,
	.renew_ns = 24 * HOUR_NS,
	.chunk_ns = 24 * HOUR_NS,
	.read = hour_of,
	.columns =
		(const char *const[]){ "known_s", "used_s", "cpu_mean", "cpu_peak", "memory_peak",
				       "net_bytes", "tracked_mean", "tracked_peak", NULL },
};

static struct map_text_key key_of(const char *host_id)
{
	return map_text_key(host_id, strnlen(host_id, NAME_BYTES));
}

static int64_t at_of(const struct host_series *series, const struct host_items *host, size_t i)
{
	int64_t at;

	memcpy(&at, host->items + i * series->kind->size, sizeof(at));
	return at;
}

struct host_series *host_series_new(const struct host_series_kind *kind)
{
	struct host_series *series = calloc(1, sizeof(*series));

	if (!series)
		return NULL;
	series->kind = kind;
	series->hosts = map_new_of_texts(HOSTS_MAX);
	if (!series->hosts) {
		free(series);
		return NULL;
	}
	return series;
}

static bool free_host(const void *key, void *value, void *context)
{
	struct host_items *host = value;

	map_remove(context, key);
	free(host->items);
	free(host);
	return true;
}

void host_series_forget(struct host_series *series)
{
	map_visit(series->hosts, free_host, series->hosts);
	series->since_at = series->until_at = series->renewed_at = 0;
}

void host_series_free(struct host_series *series)
{
	if (!series)
		return;
	host_series_forget(series);
	map_free(series->hosts);
	free(series);
}

struct span {
	struct host_series *series;
	int64_t since_at, until_at;
};

/* Leaves the items of a span. */
static bool cut_host(const void *key, void *value, void *context)
{
	const struct span *span = context;
	struct host_series *series = span->series;
	struct host_items *host = value;
	size_t size = series->kind->size, first = 0;

	while (first < host->count && at_of(series, host, first) < span->since_at)
		first++;
	host->count -= first;
	if (first)
		memmove(host->items, host->items + first * size, host->count * size);
	while (host->count && at_of(series, host, host->count - 1) >= span->until_at)
		host->count--;
	return true;
}

static void cut(struct host_series *series, int64_t since_at, int64_t until_at)
{
	struct span span = { series, since_at, until_at };

	map_visit(series->hosts, cut_host, &span);
}

static struct host_items *host_of(struct host_series *series, const char *host_id)
{
	struct map_text_key key = key_of(host_id);
	struct host_items *host = map_get(series->hosts, &key);

	if (host)
		return host;
	host = calloc(1, sizeof(*host));
	if (host && map_put(series->hosts, &key, host)) {
		free(host);
		return NULL;
	}
	return host;
}

static int take_rows(struct host_series *series, struct store_rows *rows)
{
	const char *const *names = series->kind->columns;
	int columns[HOST_SERIES_COLUMNS];
	size_t id = (size_t)store_column(rows, "host_id"), at = (size_t)store_column(rows, "at");

	for (size_t i = 0; names[i]; i++)
		columns[i] = store_column(rows, names[i]);
	while (store_next(rows)) {
		struct host_items *host = host_of(series, store_text(rows, id));
		int64_t begins = store_i64(rows, at);
		char *item;

		if (!host || !item_list_grow(&host->items, host->count, series->kind->size))
			return -ENOMEM;
		item = host->items + host->count * series->kind->size;
		memset(item, 0, series->kind->size);
		memcpy(item, &begins, sizeof(begins));
		series->kind->read(rows, columns, item);
		host->count++;
	}
	return 0;
}

static int ask(struct host_series *series, struct server *server, int64_t since_at,
	       int64_t until_at, struct error *err)
{
	const struct store_param params[] = { PARAM_TIME("since_at", since_at),
					      PARAM_TIME(series->kind->until, until_at) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, series->kind->query, params, &rows, err);

	return rc ? rc : take_rows(series, rows);
}

static int64_t floor_of(int64_t at, int64_t unit)
{
	return at - at % unit;
}

static int64_t end_of(const struct host_series_kind *kind, int64_t now_at)
{
	return kind->partial ? now_at : floor_of(now_at, kind->unit_ns);
}

int host_series_fill(struct host_series *series, struct server *server, int64_t now_at,
		     struct error *err)
{
	const struct host_series_kind *kind = series->kind;
	int64_t until_at = end_of(kind, now_at);
	int64_t first_at = floor_of(until_at - kind->keep_ns, kind->unit_ns), since_at;

	if (series->until_at < first_at || now_at - series->renewed_at >= kind->renew_ns) {
		host_series_forget(series);
		series->renewed_at = now_at;
		since_at = first_at;
	} else if (until_at <= series->until_at) {
		return 0;
	} else {
		since_at = floor_of(series->until_at - kind->again_ns, kind->unit_ns);
		since_at = since_at < first_at ? first_at : since_at;
		cut(series, first_at, since_at);
	}
	series->since_at = first_at;
	series->until_at = since_at;
	while (series->until_at < until_at) {
		int64_t next = floor_of(series->until_at, kind->chunk_ns) + kind->chunk_ns;
		int rc;

		next = next < until_at ? next : until_at;
		rc = ask(series, server, series->until_at, next, err);
		if (rc) {
			cut(series, first_at, series->until_at);
			return rc;
		}
		series->until_at = next;
	}
	return 0;
}

bool host_series_reaches(const struct host_series *series, int64_t now_at)
{
	return !series->until_at ||
	       end_of(series->kind, now_at) > series->until_at - series->kind->again_ns;
}

bool host_series_lacks(const struct host_series *series, const char *host_id, int64_t up_since)
{
	struct map_text_key key = key_of(host_id);

	return up_since < series->until_at - series->kind->again_ns &&
	       !map_get(series->hosts, &key);
}

int host_series_know(struct host_series *series, const char *host_id)
{
	return host_of(series, host_id) ? 0 : -ENOMEM;
}

int host_series_copy(const struct host_series *series, const char *host_id, int64_t now_at,
		     void **ret, size_t *ret_count)
{
	struct map_text_key key = key_of(host_id);
	const struct host_items *host = map_get(series->hosts, &key);
	int64_t until_at = end_of(series->kind, now_at);
	size_t count = host ? host->count : 0;

	*ret = NULL;
	while (count && at_of(series, host, count - 1) >= until_at)
		count--;
	*ret_count = count;
	if (!count)
		return 0;
	*ret = malloc(count * series->kind->size);
	if (!*ret)
		return -ENOMEM;
	memcpy(*ret, host->items, count * series->kind->size);
	return 0;
}
