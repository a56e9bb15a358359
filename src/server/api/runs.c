/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cost/price.h"
#include "server/query/beside.h"
#include "server/query/query.h"
#include "server/api/handlers.h"
#include "server/api/live.h"
#include "server/billing/list_costs.h"
#include "server/findings/analysis.h"
#include "server/findings/analysis_worker.h"
#include "server/http/reply.h"
#include "server/rows/answer.h"
#include "server/rows/query_rows.h"
#include "server/server.h"

#define LIVE_RUNS     100
#define EXPECT_NS     (60 * NS_PER_S) /* how old the expected end of a running run may be */
#define LIVE_AGAIN_MS 5000
#define TYPE_EVENTS   "text/event-stream; charset=utf-8"

/* What add_columns needs. */
struct list_context {
	struct server *server;
	const struct list_costs *costs;
	struct analysis *analysis; /* of the current row, or NULL: owns its texts */
};

/* The last analysis of the run, which is asked for where there is none, or where it is too old for
 * a run that runs. */
static void take_analysis(const struct store_rows *rows, struct list_context *context, bool runs)
{
	const char *id = row_text(rows, "id");

	analysis_put(context->analysis);
	context->analysis = analysis_last(context->server, id, runs);
	if (!context->analysis ||
	    (runs && context->analysis->made_at < clock_real_ns() - EXPECT_NS))
		analysis_worker_want(context->server->analyst, id);
}

#define LIST_COLUMNS 7

/* Its verdict once it has ended; its expected end while it runs. */
static void add_analysis(const struct store_rows *rows, struct list_context *context,
			 struct cell *cells)
{
	const char *status = row_text(rows, "status");
	bool runs = strcmp(status, "running") == 0;
	const struct analysis *analysis;

	take_analysis(rows, context, runs);
	analysis = context->analysis;
	if (!analysis || strcmp(status, "queued") == 0)
		return;
	if (!runs) {
		cells[0] = cell_text(analysis->verdict.brief);
		cells[1] = cell_i64((int64_t)analysis->verdict.failed_tools);
		return;
	}
	if (analysis->expected.progress >= 0)
		cells[2] = cell_double(analysis->expected.progress);
	/* One that has passed says nothing until the run is looked at again. */
	if (analysis->expected.known && analysis->expected.end_at > clock_real_ns()) {
		cells[3] = cell_time(analysis->expected.end_at);
		cells[4] = cell_time(analysis->expected.low_at);
		cells[5] = cell_time(analysis->expected.high_at);
	}
}

static void add_columns(const struct store_rows *rows, void *context_, struct cell *cells)
{
	struct list_context *context = context_;
	const struct run_cost *cost = list_cost(context->costs, row_text(rows, "id"));

	for (size_t i = 0; i < LIST_COLUMNS; i++)
		cells[i] = CELL_NONE;
	if (cost && cost->priced)
		cells[0] = cell_double(cost_usd(cost_part_sum(&cost->part)));
	add_analysis(rows, context, cells + 1);
}

#define PAGE_PARAMS(filter, rows)                                                               \
	{                                                                                       \
		PARAM_OPTIONAL("status", (filter)->status),                                     \
			PARAM_OPTIONAL("pipeline", (filter)->pipeline),                         \
			PARAM_OPTIONAL("reader", (filter)->reader),                             \
			PARAM_TEXT("sort", (filter)->sort),                                     \
			PARAM_OPTIONAL("cursor", (filter)->cursor), PARAM_I64("limit", (rows)), \
	}

/* The costs of the runs that will be listed. */
struct page_costs {
	struct server *server;
	const struct runs_filter *filter;
	struct list_costs costs;
};

static int foresee_costs(void *context, struct error *err)
{
	struct page_costs *page = context;
	const struct store_param params[] = PAGE_PARAMS(page->filter, page->filter->limit + 1);
	CLEANUP(store_rows_freep) struct store_rows *runs = NULL;
	int rc = QUERY(page->server, "runs_costs", params, &runs, err);

	return rc ? rc : list_costs_make(page->server, runs, &page->costs, err);
}

/* The runs and their costs, in two threads. A run that came between the two has none yet. */
static int look(struct page_costs *page, int64_t *limit, struct store_rows **ret, struct error *err)
{
	struct store_param params[] = PAGE_PARAMS(page->filter, page->filter->limit);
	struct error words = { "" };
	struct beside costs;
	int rc, costs_rc;

	beside_begin(&costs, foresee_costs, page);
	rc = QUERY_PAGE(page->server, "runs", params, limit, ret, err);
	costs_rc = beside_end(&costs, &words);
	if (rc == 0 && costs_rc)
		*err = words;
	return rc ? rc : costs_rc;
}

static void page_costs_clear(struct page_costs *page)
{
	list_costs_clear(&page->costs);
}

int runs_write(struct server *server, const struct runs_filter *filter,
	       const struct row_format *format, struct buffer *out, struct error *err)
{
	static const struct row_column MORE[LIST_COLUMNS] = {
		{ "cost_usd", STORE_DOUBLE },       { "verdict", STORE_TEXT },
		{ "failed_tools", STORE_I64 },      { "progress", STORE_DOUBLE },
		{ "expected_end_at", STORE_TIME },  { "expected_low_at", STORE_TIME },
		{ "expected_high_at", STORE_TIME },
	};
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(page_costs_clear) struct page_costs page = { .server = server, .filter = filter };
	struct list_context context = { .server = server };
	struct row_writer writer;
	int64_t limit = filter->limit;
	int rc = look(&page, &limit, &rows, err);

	if (rc)
		return rc;
	context.costs = &page.costs;
	row_writer_begin(&writer, format, out);
	query_rows_page(&writer, "runs", rows, limit,
			&(struct row_extra){ MORE, LIST_COLUMNS, add_columns, &context });
	row_writer_end(&writer);
	analysis_put(context.analysis);
	return 0;
}

int get_runs(struct request *request, struct reply *reply)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	const struct runs_filter filter = {
		.reader = reader_param(&request->reader, &text),
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

bool runs_publish(struct server *server)
{
	const struct runs_filter filter = { .sort = "started", .limit = LIVE_RUNS };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct error err = { "" };

	buffer_init(&text, REPLY_LIMIT);
	if (!live_claim(server->live, server->changes + server->verdicts))
		return false;
	if (runs_write(server, &filter, &ROW_FORMAT_JSON, &text, &err) || text.failed) {
		log_error("live: %s", error_text(&err));
	} else {
		live_publish(server->live, "runs", text.data, text.len);
		live_tick(server->live);
	}
	return true;
}

/* The stream of who may read some runs only: these runs once, and then its end. The browser
 * connects again, as often as it is said here; the messages of all watchers are the same, so they
 * are not for this one. */
static int answer_own(struct request *request, struct reply *reply)
{
	CLEANUP(buffer_clear) struct buffer reader = { 0 };
	const struct runs_filter filter = { .reader = reader_param(&request->reader, &reader),
					    .sort = "started",
					    .limit = LIVE_RUNS };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	int rc;

	buffer_init(&text, REPLY_LIMIT);
	rc = runs_write(request->server, &filter, &ROW_FORMAT_JSON, &text, &reply->error);
	if (rc)
		return rc;
	buffer_printf(&reply->body, "retry: %d\nevent: runs\ndata: ", LIVE_AGAIN_MS);
	buffer_append(&reply->body, text.data, text.len);
	buffer_append_text(&reply->body, "\n\n");
	reply->body.failed = reply->body.failed || text.failed;
	reply->type = TYPE_EVENTS;
	return 0;
}

int get_live(struct request *request, struct reply *reply)
{
	struct live *live = request->server->live;
	int rc;

	if (!request->reader.all)
		return answer_own(request, reply);
	(void)runs_publish(request->server);
	rc = live_watch(live, request->connection, &reply->stream);
	if (rc == -EBUSY)
		return error_set(&reply->error, rc, "%u browsers watch already: try again later",
				 live_watchers(live));
	reply->type = TYPE_EVENTS;
	return rc;
}
