/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "server/query/run.h"
#include "server/rows/row_writer.h"

static int not_found(const char *run, struct error *err)
{
	return error_set(err, -ENOENT,
			 strcmp(run, "latest") == 0
				 ? "there is no run yet"
				 : "no run has the id or name \"%s\"; `tracer runs` lists them",
			 run);
}

static struct cell text_cell(const struct store_rows *rows, const char *column)
{
	const char *text = row_text(rows, column);

	return cell_text(*text ? text : NULL);
}

/* Writes the list of candidates; rows is at the first of them. */
static void write_candidates(struct store_rows *rows, struct buffer *out)
{
	static const struct row_column COLUMNS[] = {
		{ "id", STORE_TEXT },
		{ "name", STORE_TEXT },
		{ "engine_run_name", STORE_TEXT },
		{ "pipeline", STORE_TEXT },
		{ "status", STORE_TEXT },
		{ "started_at", STORE_TIME },
	};
	struct row_writer writer;

	row_writer_init(&writer, &ROW_FORMAT_JSON, out);
	ROW_LIST_BEGIN(&writer, NULL, COLUMNS);
	do {
		const struct cell cells[] = {
			text_cell(rows, "id"),
			text_cell(rows, "name"),
			text_cell(rows, "engine_run_name"),
			text_cell(rows, "pipeline"),
			text_cell(rows, "status"),
			cell_time(row_i64(rows, "started_at")),
		};

		ROW_LIST_ADD(&writer, cells);
	} while (store_next(rows));
	row_list_end(&writer);
}

static int ambiguous(struct store_rows *rows, const char *run, int64_t matches, struct reply *reply)
{
	write_candidates(rows, &reply->candidates);
	return error_set(
		&reply->error, -ENOTUNIQ,
		"\"%s\" is the start of %lld runs: name one by its id, or give more of its "
		"name",
		run, (long long)matches);
}

/* A whole id is what most requests have, and is found in a tenth of the time of a search. */
static int find_id(struct request *request, const char *run, bool *ret_found, char id[RUN_ID_SIZE],
		   struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", run) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(request->server, "resolve_id", params, &rows, err);

	*ret_found = rc == 0 && store_next(rows);
	if (*ret_found)
		snprintf(id, RUN_ID_SIZE, "%s", row_text(rows, "id"));
	return rc;
}

int run_resolve_named(struct request *request, const char *run, struct reply *reply,
		      char id[RUN_ID_SIZE])
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	const char *reader = reader_param(&request->reader, &text);
	const struct store_param params[] = { PARAM_TEXT("run", run),
					      PARAM_OPTIONAL("reader", reader) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	bool found = false;
	int rc = reader ? 0 : find_id(request, run, &found, id, &reply->error);

	if (rc || found)
		return rc;
	rc = QUERY(request->server, "resolve", params, &rows, &reply->error);
	if (rc)
		return rc;
	if (!store_next(rows))
		return not_found(run, &reply->error);
	if (row_i64(rows, "matches") > 1)
		return ambiguous(rows, run, row_i64(rows, "matches"), reply);
	snprintf(id, RUN_ID_SIZE, "%s", row_text(rows, "id"));
	return 0;
}

int run_resolve(struct request *request, struct reply *reply, char id[RUN_ID_SIZE])
{
	return run_resolve_named(request, request->param, reply, id);
}

int run_may_read(struct request *request, const char *id, bool *ret, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	const char *reader = reader_param(&request->reader, &text);
	const struct store_param params[] = { PARAM_TEXT("run", id),
					      PARAM_OPTIONAL("reader", reader) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = reader ? QUERY(request->server, "resolve", params, &rows, err) : 0;

	*ret = !reader || (rc == 0 && store_next(rows) && strcmp(row_text(rows, "id"), id) == 0);
	return rc;
}
