/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/batch_writer.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "lake/store/merged_runs.h"
#include "lake/store/run_match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define JOINS_MAX 1000   /* by one batch */
#define PAGE_ROWS 100000 /* of merged runs that are read at once */

DEFINE_CLEANUP(struct merged_runs *, merged_runs_free)
DEFINE_CLEANUP(struct run_match *, run_match_free)
DEFINE_CLEANUP(struct store_rows *, store_rows_free)

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
int batch_writer_open(struct batch_writer *writer, struct error *err)
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

static int join_all(struct batch_writer *writer, struct store_rows *linked, struct error *err)
{
	CLEANUP(run_match_freep) struct run_match *match = NULL;
	struct run_join join;
	int rc = run_match_new(&match, linked, err);

	for (size_t i = 0; !rc && i < JOINS_MAX && run_match_next(match, &join); i++) {
		rc = writer->operations->join(writer->engine, &join, err);
		if (!rc && merged_runs_join(writer->merged, join.part_id, join.run_id))
			rc = error_set(err, -ENOMEM, "no memory for merged runs");
	}
	return rc;
}

/* Joins runs by the links that came. Where too many runs have the same link, they stay apart. */
static int join_runs(struct batch_writer *writer, const Signal__Batch *batch, struct error *err)
{
	const struct store_param params[] = {
		{ .name = "agent", .type = STORE_TEXT, .text = batch->agent_id },
		{ .name = "boot", .type = STORE_TEXT, .text = batch->boot_id },
		{ .name = "sequence", .type = STORE_I64, .i64 = (int64_t)batch->sequence },
	};
	CLEANUP(store_rows_freep) struct store_rows *linked = NULL;
	int rc = writer->operations->read(writer->engine, "linked_runs", params, 3, &linked, err);

	if (rc == -EMSGSIZE) {
		log_warning("too many runs have the same link to compare them: they stay apart");
		return 0;
	}
	return rc ? rc : join_all(writer, linked, err);
}

static int write_batch(struct batch_writer *writer, const Signal__Batch *batch, struct error *err)
{
	const struct store_operations *operations = writer->operations;
	int rc = operations->write(writer->engine, batch, writer->merged, err);

	if (!rc && batch->n_links)
		rc = join_runs(writer, batch, err);
	if (!rc && batch->n_scans)
		rc = operations->mark_lost(writer->engine, err);
	return rc ? rc : operations->commit(writer->engine, batch, err);
}

static void forget_merged(struct batch_writer *writer)
{
	merged_runs_free(writer->merged);
	writer->merged = NULL;
}

int batch_writer_store(struct batch_writer *writer, const Signal__Batch *batch, bool *ret_duplicate,
		       struct error *err)
{
	bool duplicate = false;
	int rc = writer->merged ? 0 : batch_writer_open(writer, err);

	if (!rc)
		rc = writer->operations->begin(writer->engine, batch, &duplicate, err);
	if (!rc && !duplicate) {
		rc = write_batch(writer, batch, err);
		if (rc) {
			writer->operations->rollback(writer->engine);
			if (batch->n_links) /* joins are rolled back, too */
				forget_merged(writer);
		}
	}
	if (!rc)
		*ret_duplicate = duplicate;
	return rc;
}
