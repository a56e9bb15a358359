/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/settle/settle.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "lake/store/ingest/batch_list.h"
#include "lake/store/join/merged_runs.h"
#include "lake/store/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGE_ROWS 100000 /* of settled runs that are read at once */
#define WAIT_S    10     /* for the thread that writes: it may wait for this one */

DEFINE_CLEANUP(struct store_rows *, store_rows_free)

/* *cursor: of the page; it becomes that of the next, or NULL behind the last (owned). */
static int add_page(struct settled_runs *settled, struct store_rows *rows, char **cursor)
{
	int run = store_column(rows, "run_id"), next = store_column(rows, STORE_CURSOR), rc = 0;
	size_t count = 0;

	freep(cursor);
	*cursor = NULL;
	while (!rc && store_next(rows)) {
		rc = settled_runs_add(settled, store_text(rows, (size_t)run));
		if (++count == PAGE_ROWS) {
			*cursor = strdup(store_text(rows, (size_t)next));
			rc = *cursor ? rc : -ENOMEM;
		}
	}
	return rc;
}

static int read_page(const struct settle *settle, char **cursor, struct error *err)
{
	const struct store_param params[] = {
		{ .name = "cursor", .type = *cursor ? STORE_TEXT : STORE_NULL, .text = *cursor },
		{ .name = "limit", .type = STORE_I64, .i64 = PAGE_ROWS },
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = settle->operations->read(settle->engine, "settled_runs", params, 2, &rows, err);

	if (rc)
		return rc;
	rc = add_page(settle->settled, rows, cursor);
	return rc == -ENOMEM ? error_set(err, rc, "no memory for settled runs") : rc;
}

/* Where the table is full (-ENOSPC), any run that it lacks counts as one that may be settled. */
int settle_load(const struct settle *settle, struct error *err)
{
	CLEANUP(freep) char *cursor = NULL;
	int rc;

	do {
		rc = read_page(settle, &cursor, err);
	} while (!rc && cursor);
	rc = rc == -ENOSPC ? 0 : rc;
	if (!rc)
		settled_runs_doubt(settle->settled, false);
	return rc;
}

static int touch(const struct settle *settle, const char *run_id, struct error *err)
{
	if (!settle->settled || !run_id || !*run_id || !settled_runs_touch(settle->settled, run_id))
		return 0;
	return settle->operations->unsettle(settle->engine, run_id, false, err);
}

/* The runs that the records of a table are about; records of one run often follow each other. */
static int touch_table(const struct settle *settle, const struct merged_runs *merged,
		       const struct table *table, const Signal__Batch *batch, struct error *err)
{
	const ProtobufCFieldDescriptor *field;
	const char *last = "";
	size_t count;
	ProtobufCMessage *const *records = table_messages(table, batch, &count);
	int rc = 0;

	if (!count)
		return 0;
	field = protobuf_c_message_descriptor_get_field_by_name(table_descriptor(table), "run_id");
	for (size_t i = 0; field && i < count && !rc; i++) {
		const char *id = *(char *const *)((const char *)records[i] + field->offset);

		if (id && strcmp(id, last) != 0) {
			rc = touch(settle, merged_runs_find(merged, id), err);
			last = id;
		}
	}
	return rc;
}

static int touch_rows(const struct settle *settle, const char *query,
		      const struct store_param *params, size_t count, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = settle->operations->read(settle->engine, query, params, count, &rows, err);

	while (!rc && store_next(rows))
		rc = touch(settle, store_text(rows, 0), err);
	return rc;
}

/* Whether it says something of runs without their id. */
static bool is_indirect(const Signal__Batch *batch)
{
	return batch->n_containers || batch->n_told_runs || batch->n_told_tasks;
}

/* What they say of settled runs without their id. */
static int touch_indirect(const struct settle *settle, const Signal__Batch *const *batches,
			  size_t count, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer list = { 0 };
	struct store_param param = { .name = "batches", .type = STORE_TEXT };

	buffer_init(&list, 0);
	batch_list_write(&list, batches, count, is_indirect);
	param.text = list.data;
	return list.failed ? error_set(err, -ENOMEM, "no memory for settled runs")
			   : touch_rows(settle, "settled_touched", &param, 1, err);
}

int settle_touch(const struct settle *settle, const struct merged_runs *merged,
		 const Signal__Batch *const *batches, size_t count, struct error *err)
{
	bool indirect = false;
	int rc = 0;

	if (!settle->settled)
		return 0;
	for (size_t i = 0; i < count && !rc; i++) {
		for (size_t table = 0; table < TABLES_COUNT && !rc; table++)
			rc = touch_table(settle, merged, &TABLES[table], batches[i], err);
		indirect = indirect || is_indirect(batches[i]);
	}
	if (rc || !indirect || !settled_runs_any(settle->settled))
		return rc;
	return touch_indirect(settle, batches, count, err);
}

int settle_touch_join(const struct settle *settle, const struct run_join *join, struct error *err)
{
	const struct store_param part[] = {
		{ .name = "run", .type = STORE_TEXT, .text = join->part_id },
	};
	int rc = touch(settle, join->part_id, err);

	if (!rc)
		rc = touch(settle, join->run_id, err);
	return rc ? rc : touch_rows(settle, "settled_children", part, 1, err);
}

/* false: it writes for long. */
static bool lock_writer(pthread_mutex_t *writer)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_S;
	return pthread_mutex_timedlock(writer, &until) == 0;
}

/* What was stored before `since` is in the snapshot; what was stored behind it was noticed. */
static int begin(const struct settle *settle, pthread_mutex_t *writer,
		 const struct settle_runs *runs, void **ret, uint64_t *ret_since, struct error *err)
{
	int rc;

	if (!lock_writer(writer))
		return -EBUSY;
	*ret_since = settled_runs_now(settle->settled);
	rc = settle->operations->settle_begin(settle->engine, runs->ids, runs->count, runs->part,
					      ret, err);
	pthread_mutex_unlock(writer);
	return rc;
}

static bool is_any_touched(const struct settle *settle, const struct settle_runs *runs,
			   uint64_t since)
{
	for (size_t i = 0; i < runs->count; i++)
		if (settled_runs_is_touched(settle->settled, runs->ids[i], since))
			return true;
	return false;
}

/* Where it cannot be kept after all, a run counts as settled in memory alone, which does no harm.
 */
static bool add_all(const struct settle *settle, const struct settle_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		if (settled_runs_add(settle->settled, runs->ids[i]))
			return false;
	return true;
}

static int end(const struct settle *settle, pthread_mutex_t *writer, const struct settle_runs *runs,
	       void *settling, uint64_t since, bool *ret_done, struct error *err)
{
	bool locked = lock_writer(writer);
	bool keep = locked && !is_any_touched(settle, runs, since) && add_all(settle, runs);
	int rc = settle->operations->settle_end(settle->engine, settling, keep, err);

	if (locked)
		pthread_mutex_unlock(writer);
	*ret_done = keep;
	return rc;
}

int settle_runs(const struct settle *settle, pthread_mutex_t *writer,
		const struct settle_runs *runs, bool *ret_done, struct error *err)
{
	void *settling = NULL;
	uint64_t since;
	int rc = begin(settle, writer, runs, &settling, &since, err);

	*ret_done = false;
	if (rc)
		return rc == -EBUSY ? 0 : rc;
	rc = settle->operations->settle_write(settle->engine, settling, err);
	if (!rc)
		return end(settle, writer, runs, settling, since, ret_done, err);
	(void)settle->operations->settle_end(settle->engine, settling, false, NULL);
	return rc;
}
