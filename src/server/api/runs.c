/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/runs.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "server/query/query.h"
#include "server/api/handlers.h"
#include "server/api/live.h"
#include "server/billing/run_bill.h"
#include "server/http/reply.h"
#include "server/rows/answer.h"
#include "server/rows/query_rows.h"
#include "server/server.h"

#define LIVE_RUNS 100
/* The time in which the listed runs were. */
struct window {
	int64_t since_at, until_at;
};

static struct window window_of(struct store_rows *rows)
{
	int64_t now = clock_real_ns();
	struct window window = { now, 0 };

	while (store_next(rows)) {
		int64_t since_at = row_i64(rows, "started_at"),
			until_at = row_i64(rows, "ended_at");

		if (since_at && since_at < window.since_at)
			window.since_at = since_at;
		if (!until_at || until_at > window.until_at)
			window.until_at = until_at ? until_at : now;
	}
	return (struct window){ window.since_at - RUN_MARGIN_NS, window.until_at + RUN_MARGIN_NS };
}

static void add_cost(const struct store_rows *rows, void *context, struct cell *cells)
{
	const struct bill_run *run = bill_run(context, row_text(rows, "id"));

	cells[0] = run && run->priced ? cell_double(cost_usd(run->whole_nusd)) : CELL_NONE;
}

static int look(struct server *server, const struct runs_filter *filter, int64_t *limit,
		struct store_rows **ret, struct error *err)
{
	struct store_param params[] = {
		PARAM_OPTIONAL("status", filter->status),
		PARAM_OPTIONAL("pipeline", filter->pipeline),
		PARAM_TEXT("sort", filter->sort),
		PARAM_OPTIONAL("cursor", filter->cursor),
		PARAM_I64("limit", filter->limit),
	};

	return QUERY_PAGE(server, "runs", params, limit, ret, err);
}

int runs_write(struct server *server, const struct runs_filter *filter,
	       const struct row_format *format, struct buffer *out, struct error *err)
{
	static const struct row_column COST[] = { { "cost_usd", STORE_DOUBLE } };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(bill_freep) struct bill *bill = NULL;
	struct window window;
	struct row_writer writer;
	int64_t limit = filter->limit;
	int rc = look(server, filter, &limit, &rows, err);

	if (rc)
		return rc;
	window = window_of(rows);
	store_rewind(rows);
	rc = bill_make_costs(server, window.since_at, window.until_at, false, &bill, err);
	if (rc)
		return rc;
	row_writer_begin(&writer, format, out);
	query_rows_page(&writer, "runs", rows, limit,
			&(struct row_extra){ COST, 1, add_cost, bill });
	row_writer_end(&writer);
	return 0;
}

int get_runs(struct request *request, struct reply *reply)
{
	const struct runs_filter filter = {
		.status = request_text(request, "status"),
		.pipeline = request_text(request, "pipeline"),
		.sort = request_text(request, "sort"),
		.cursor = request_text(request, "cursor"),
		.limit = request_number(request, "limit"),
	};
	const struct row_format *format = answer_format(request);

	reply->tagged = true;
	reply->type = format->media_type;
	return runs_write(request->server, &filter, format, &reply->body, &reply->error);
}

void runs_publish(struct server *server)
{
	const struct runs_filter filter = { .sort = "started", .limit = LIVE_RUNS };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct error err = { "" };

	buffer_init(&text, REPLY_LIMIT);
	if (!live_claim(server->live, server->changes))
		return;
	if (runs_write(server, &filter, &ROW_FORMAT_JSON, &text, &err) || text.failed)
		log_error("live: %s", error_text(&err));
	else
		live_publish(server->live, "runs", text.data, text.len);
}

int get_live(struct request *request, struct reply *reply)
{
	struct live *live = request->server->live;
	int rc;

	runs_publish(request->server);
	rc = live_watch(live, request->connection, &reply->stream);
	if (rc == -EBUSY)
		return error_set(&reply->error, rc, "%u browsers watch already: try again later",
				 live_watchers(live));
	reply->type = "text/event-stream; charset=utf-8";
	return rc;
}
