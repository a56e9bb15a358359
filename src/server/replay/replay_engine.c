/* SPDX-License-Identifier: Apache-2.0 */
#include "server/replay/replay_engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/query/query.h"
#include "tune/replay/engine_split.h"

#define BUCKETS_FIRST 256 /* room at first */

static int find_width(struct server *server, const struct store_param *run, int64_t *ret,
		      struct error *err)
{
	const struct store_param params[] = { *run };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "samples_interval", params, &rows, err);

	if (rc)
		return rc;
	*ret = store_next(rows) ? row_i64(rows, "interval_s") : 0;
	if (*ret < 1)
		*ret = 1;
	return 0;
}

static int take_bucket(struct engine_buckets *buckets, size_t *room, const struct store_rows *rows)
{
	struct engine_bucket bucket = {
		.at = row_i64(rows, "at"),
		.cpu_ns = (double)row_i64(rows, "user_ns") + (double)row_i64(rows, "kernel_ns"),
	};

	if (buckets->count == *room) {
		size_t more = *room ? 2 * *room : BUCKETS_FIRST;
		struct engine_bucket *grown =
			reallocarray(buckets->items, more, sizeof(*buckets->items));

		if (!grown)
			return -ENOMEM;
		buckets->items = grown;
		*room = more;
	}
	buckets->items[buckets->count++] = bucket;
	return 0;
}

int replay_engine_read(struct replay_run *run, struct server *server, const char *id,
		       struct error *err)
{
	struct store_param params[] = { PARAM_TEXT("run", id), PARAM_I64("interval_s", 1) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct engine_buckets buckets = { 0 };
	int64_t width_s = 1;
	size_t room = 0;
	int rc = find_width(server, &params[0], &width_s, err);

	if (rc)
		return rc;
	params[1].i64 = width_s;
	buckets.width_ns = width_s * NS_PER_S;
	rc = QUERY(server, "samples_shares", params, &rows, err);
	while (rc == 0 && store_next(rows)) {
		if (strcmp(row_text(rows, "key"), "engine") != 0)
			continue;
		rc = take_bucket(&buckets, &room, rows);
		run->engine.memory_bytes =
			fmax(run->engine.memory_bytes, (double)row_i64(rows, "rss_bytes"));
	}
	if (rc == 0)
		engine_split(run, &buckets);
	free(buckets.items);
	return rc;
}
