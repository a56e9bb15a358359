/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/batch_writer.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/map.h"
#include "lake/store/ingest/batch_list.h"
#include "lake/store/ingest/batch_wave.h"
#include "lake/store/ingest/ledger_load.h"
#include "lake/store/join/merged_runs.h"
#include "lake/store/join/run_joins.h"
#include "lake/store/join/run_match.h"
#include "lake/store/settle/settle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define JOINS_MAX 100000 /* by batches that are written at once */
#define PAGE_ROWS 100000 /* of merged runs that are read at once */

DEFINE_CLEANUP(struct batch_wave *, batch_wave_free)
DEFINE_CLEANUP(struct map *, map_free)
DEFINE_CLEANUP(struct merged_runs *, merged_runs_free)
DEFINE_CLEANUP(struct run_joins *, run_joins_free)
DEFINE_CLEANUP(struct run_match *, run_match_free)
DEFINE_CLEANUP(struct store_rows *, store_rows_free)

static struct settle settle_of(const struct batch_writer *writer)
{
	return (struct settle){ writer->operations, writer->engine, writer->settled };
}

/* *cursor: of the page; it becomes that of the next, or NULL behind the last (owned). */
static int add_page(struct merged_runs *merged, struct store_rows *rows, char **cursor)
{
	int part = store_column(rows, "part_id"), run = store_column(rows, "run_id");
	int next = store_column(rows, STORE_CURSOR), rc = 0;
	size_t count = 0;

	freep(cursor);
	*cursor = NULL;
	while (!rc && store_next(rows)) {
		rc = merged_runs_add(merged, store_text(rows, (size_t)part),
				     store_text(rows, (size_t)run));
		if (++count == PAGE_ROWS) {
			*cursor = strdup(store_text(rows, (size_t)next));
			rc = *cursor ? rc : -ENOMEM;
		}
	}
	return rc;
}

static int read_page(const struct batch_writer *writer, struct merged_runs *merged, char **cursor,
		     struct error *err)
{
	const struct store_param params[] = {
		{ .name = "cursor", .type = *cursor ? STORE_TEXT : STORE_NULL, .text = *cursor },
		{ .name = "limit", .type = STORE_I64, .i64 = PAGE_ROWS },
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = writer->operations->read(writer->engine, "merged_runs", params, 2, &rows, err);

	if (rc)
		return rc;
	rc = add_page(merged, rows, cursor);
	return rc ? error_set(err, rc, "no memory for merged runs") : 0;
}

/* Merged runs, the latest first, as many as the table holds. */
static int open_merged(struct batch_writer *writer, struct error *err)
{
	CLEANUP(merged_runs_freep) struct merged_runs *merged = merged_runs_new();
	CLEANUP(freep) char *cursor = NULL;
	size_t rows = 0;
	int rc = merged ? 0 : error_set(err, -ENOMEM, "no memory for merged runs");

	while (!rc && rows < MERGED_RUNS_MAX) {
		rc = read_page(writer, merged, &cursor, err);
		if (!cursor)
			break;
		rows += PAGE_ROWS;
	}
	if (!rc)
		writer->merged = TAKE_PTR(merged);
	return rc;
}

int batch_writer_open(struct batch_writer *writer, struct error *err)
{
	const struct settle settle = settle_of(writer);
	int rc = writer->merged ? 0 : open_merged(writer, err);

	if (!rc && writer->settled && settled_runs_in_doubt(writer->settled))
		rc = settle_load(&settle, err);
	return rc || writer->ledger
		       ? rc
		       : ledger_load(&writer->ledger, writer->operations, writer->engine, err);
}

void batch_writer_forget(struct batch_writer *writer)
{
	merged_runs_free(writer->merged);
	batch_ledger_free(writer->ledger);
	writer->merged = NULL;
	writer->ledger = NULL;
	if (writer->settled)
		settled_runs_doubt(writer->settled, true);
}

/* Decides which runs are joined; store_joins() stores it. */
static int join_all(struct batch_writer *writer, struct store_rows *linked, struct run_joins *joins,
		    struct error *err)
{
	CLEANUP(run_match_freep) struct run_match *match = NULL;
	const struct settle settle = settle_of(writer);
	struct run_join join;
	int rc = run_match_new(&match, linked, writer->merged, err);

	for (size_t i = 0; !rc && i < JOINS_MAX && run_match_next(match, &join); i++) {
		rc = settle_touch_join(&settle, &join, err);
		if (!rc && (run_joins_add(joins, &join) ||
			    merged_runs_join(writer->merged, join.part_id, join.run_id)))
			rc = error_set(err, -ENOMEM, "no memory for merged runs");
	}
	return rc;
}

static bool has_links(const Signal__Batch *batch)
{
	return batch->n_links > 0;
}

/* -EMSGSIZE: too many runs have the same link to compare them. */
static int join_linked(struct batch_writer *writer, const Signal__Batch *const *batches,
		       size_t count, struct run_joins *joins, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *linked = NULL;
	CLEANUP(buffer_clear) struct buffer list = { 0 };
	struct store_param param = { .name = "batches", .type = STORE_TEXT };
	int rc;

	buffer_init(&list, 0);
	batch_list_write(&list, batches, count, has_links);
	if (list.failed)
		return error_set(err, -ENOMEM, "no memory to join runs");
	param.text = list.data;
	rc = writer->operations->read(writer->engine, "linked_runs", &param, 1, &linked, err);
	return rc ? rc : join_all(writer, linked, joins, err);
}

/* Joins runs by the links that came. Where too many runs have the same link, they stay apart: then
 * the batches are looked at one by one, so that other runs do not. */
static int join_runs(struct batch_writer *writer, const Signal__Batch *const *batches, size_t count,
		     struct run_joins *joins, struct error *err)
{
	bool any = false;
	int rc;

	for (size_t i = 0; i < count; i++)
		any = any || has_links(batches[i]);
	rc = any ? join_linked(writer, batches, count, joins, err) : 0;
	if (rc != -EMSGSIZE)
		return rc;
	rc = 0;
	if (count == 1)
		log_warning("too many runs have the same link to compare them: they stay apart");
	for (size_t i = 0; i < count && count > 1 && !rc; i++)
		rc = join_runs(writer, batches + i, 1, joins, err);
	return rc;
}

static int store_joins(const struct batch_writer *writer, struct run_joins *joins,
		       struct error *err)
{
	const struct run_join *list;
	size_t count = run_joins_count(joins);

	if (!count)
		return 0;
	if (run_joins_resolve(joins, &list))
		return error_set(err, -ENOMEM, "no memory to join runs");
	return writer->operations->join(writer->engine, list, count, err);
}

/* Batches that are written, in the order in which they came. */
struct group {
	const Signal__Batch **batches;
	size_t count;
	struct map *keys; /* of the batches */
};

static int write_wave(struct batch_writer *writer, const struct group *group, size_t begin,
		      size_t end, struct error *err)
{
	const struct store_operations *operations = writer->operations;
	CLEANUP(run_joins_freep) struct run_joins *joins = run_joins_new();
	const struct settle settle = settle_of(writer);
	bool scanned = false;
	int rc = joins ? 0 : error_set(err, -ENOMEM, "no memory to join runs");

	if (!rc)
		rc = operations->write(writer->engine, group->batches + begin, end - begin,
				       writer->merged, err);
	if (!rc)
		rc = settle_touch(&settle, writer->merged, group->batches + begin, end - begin,
				  err);
	if (!rc)
		rc = join_runs(writer, group->batches + begin, end - begin, joins, err);
	for (size_t i = begin; i < end; i++)
		scanned = scanned || group->batches[i]->n_scans;
	if (!rc)
		rc = store_joins(writer, joins, err);
	return rc || !scanned ? rc : operations->mark_lost(writer->engine, err);
}

/* Writes as many batches at once as share no key. */
static int write_waves(struct batch_writer *writer, const struct group *group, struct error *err)
{
	int rc = 0;

	for (size_t begin = 0, end; begin < group->count && !rc; begin = end) {
		CLEANUP(batch_wave_freep) struct batch_wave *wave = batch_wave_new();

		rc = wave ? 0 : -ENOMEM;
		for (end = begin; end < group->count && !rc; end += !rc)
			rc = batch_wave_add(wave, group->batches[end]);
		if (rc && rc != -EEXIST)
			return error_set(err, rc, "no memory for a batch");
		rc = write_wave(writer, group, begin, end, err);
	}
	return rc;
}

static int write_group(struct batch_writer *writer, const struct group *group, struct error *err)
{
	int rc = writer->operations->begin(writer->engine, err);

	if (rc)
		return rc;
	rc = write_waves(writer, group, err);
	if (!rc)
		rc = writer->operations->commit(writer->engine, err);
	for (size_t i = 0; i < group->count && !rc; i++)
		rc = batch_ledger_add(writer->ledger, group->batches[i]) ? -EAGAIN : 0;
	if (rc == -EAGAIN) { /* they are stored; only memory does not know it */
		batch_writer_forget(writer);
		return 0;
	}
	if (rc) {
		writer->operations->rollback(writer->engine);
		batch_writer_forget(writer); /* joins are rolled back, too */
	}
	return rc;
}

/* Adds a batch. -EEXIST: the same batch is in the group; -ENOMEM. */
static int add_to_group(struct group *group, const Signal__Batch *batch)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct map_text_key key;

	buffer_init(&text, 0);
	buffer_append(&text, &batch->sequence, sizeof(batch->sequence));
	buffer_append(&text, batch->host_id, strlen(batch->host_id) + 1);
	buffer_append(&text, batch->agent_id, strlen(batch->agent_id) + 1);
	buffer_append(&text, batch->boot_id, strlen(batch->boot_id) + 1);
	if (text.failed)
		return -ENOMEM;
	key = map_text_key(text.data, text.len);
	if (map_get(group->keys, &key))
		return -EEXIST;
	group->batches[group->count++] = batch;
	return map_put(group->keys, &key, group);
}

/* Chooses the items that are to be written; those that are not get their result. */
static int choose(const struct batch_writer *writer, struct batch_item *items, size_t count,
		  struct group *group)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		const Signal__Batch *batch = items[i].batch;

		items[i].rc = 0;
		items[i].duplicate = batch_ledger_has(writer->ledger, batch);
		if (items[i].duplicate)
			continue;
		if (batch_ledger_is_full(writer->ledger, batch)) {
			items[i].rc = error_set(&items[i].err, -EPROTO, BATCH_LEDGER_FULL);
			continue;
		}
		rc = add_to_group(group, batch);
		items[i].duplicate = rc == -EEXIST;
		if (items[i].duplicate)
			rc = 0;
	}
	return rc;
}

static void fail_all(struct batch_item *items, size_t count, int rc, const struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		items[i].rc = rc;
		items[i].duplicate = false;
		items[i].err = *err;
	}
}

/* Stores each item by itself: one of them cannot be stored. */
static int store_each(struct batch_writer *writer, struct batch_item *items, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		rc = batch_writer_store(writer, &items[i], 1);
		if (rc)
			fail_all(items + i, count - i, rc, &items[i].err);
	}
	return rc;
}

static int store_group(struct batch_writer *writer, struct batch_item *items, size_t count,
		       struct error *err)
{
	CLEANUP(freep) const Signal__Batch **batches = calloc(count + 1, sizeof(Signal__Batch *));
	CLEANUP(map_freep) struct map *keys = map_new_of_texts(count);
	struct group group = { .batches = batches, .keys = keys };
	int rc = batch_writer_open(writer, err);

	if (rc)
		return rc;
	rc = batches && keys ? choose(writer, items, count, &group) : -ENOMEM;
	if (rc)
		return error_set(err, rc, "no memory for batches");
	return group.count ? write_group(writer, &group, err) : 0;
}

int batch_writer_store(struct batch_writer *writer, struct batch_item *items, size_t count)
{
	struct error err = { "" };
	int rc = store_group(writer, items, count, &err);

	if (rc == -EPROTO && count > 1)
		return store_each(writer, items, count);
	if (rc)
		fail_all(items, count, rc, &err);
	return rc == -ENOTRECOVERABLE ? rc : 0;
}
