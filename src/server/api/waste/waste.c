/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "cost/instant.h"
#include "cost/price.h"
#include "findings/finders.h"
#include "cost/host_use.h"
#include "server/api/findings.h"
#include "server/api/handlers.h"
#include "server/billing/budget_read.h"
#include "server/findings/finding_input.h"
#include "server/api/waste/waste_rows.h"
#include "server/query/query.h"
#include "server/rows/answer.h"
#include "server/server.h"
#include "server/sweep/sweep_source.h"
#include "server/sweep/sweeper.h"
#include "sweep/sweep.h"

/* A page that asks again, and a second one, do not sweep again. */
#define RECENT_NS  ((uint64_t)(5 * NS_PER_S))
#define KINDS_MOST 64

static int write_host(struct row_writer *writer, const struct sheet_host *host,
		      const struct host_activity *used)
{
	struct host_use use;
	int rc = host_use_make(used, &use);
	const char *type = host->instance_type;

	if (rc)
		return rc;
	const struct cell cells[] = {
		cell_text(host->id),
		cell_text(host->hostname),
		cell_text(*type ? type : NULL),
		cell_seconds((int64_t)use.up_ns),
		cell_seconds((int64_t)use.tracked_ns),
		cell_seconds((int64_t)use.idle_ns),
		cell_seconds((int64_t)use.longest_idle_ns),
		use.idle_usd < 0 ? CELL_NONE : cell_double(use.idle_usd),
	};

	ROW_LIST_ADD(writer, cells);
	return 0;
}

static int write_hosts(struct row_writer *writer, const struct finding_source *source)
{
	static const struct row_column COLUMNS[] = {
		{ "id", STORE_TEXT },
		{ "hostname", STORE_TEXT },
		{ "instance_type", STORE_TEXT },
		{ "up_s", STORE_DOUBLE },
		{ "tracked_s", STORE_DOUBLE },
		{ "idle_s", STORE_DOUBLE },
		{ "longest_idle_s", STORE_DOUBLE },
		{ "idle_usd", STORE_DOUBLE },
	};
	int rc = 0;

	ROW_LIST_BEGIN(writer, "hosts", COLUMNS);
	for (size_t i = 0; rc == 0 && i < source->sheet->host_count; i++)
		if (source->hosts[i].up_count)
			rc = write_host(writer, &source->sheet->hosts[i], &source->hosts[i]);
	row_list_end(writer);
	return rc;
}

/* What an instant in the past is asked by: a sweep of its own, which is not kept. */
struct sweep_then {
	struct sweep_source source;
	struct wastes wastes;
};

static void sweep_then_clear(struct sweep_then *then)
{
	sweep_source_clear(&then->source);
	wastes_clear(&then->wastes);
}

static int write_then(struct waste_list *list, struct server *server, struct sweep_then *then,
		      struct error *err)
{
	int rc = sweep_source_read(server, list->now_at, &then->source, err);

	if (rc == 0)
		rc = sweep_find(&then->source.input, &then->wastes);
	if (rc == 0)
		waste_rows_found(list, &(struct sweep_view){ list->now_at, &then->wastes, NULL });
	return rc;
}

/* What a sweep finds now, and what is kept: what ended, unless only the rest is asked for. */
static int write_now(struct waste_list *list, struct server *server, const char *state,
		     struct error *err)
{
	const struct store_param params[] = { PARAM_TIME("since_at", list->since_at),
					      PARAM_I64("limit", WASTES_MAX) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct sweep_view view;
	int rc = sweeper_look(server->sweeper, RECENT_NS, &view, err);

	if (rc)
		return rc;
	rc = QUERY(server, "wastes", params, &rows, err);
	list->now_at = view.now_at;
	if (strcmp(state, "ended") != 0)
		waste_rows_found(list, &view);
	if (rc == 0)
		waste_rows_kept(list, rows, &view, strcmp(state, "open") != 0);
	sweeper_done(server->sweeper);
	return rc;
}

/* at: 0: now. */
static int write_wastes(struct waste_list *list, const struct request *request, int64_t at,
			struct error *err)
{
	CLEANUP(sweep_then_clear) struct sweep_then then = { 0 };
	const char *state = request_text(request, "state");
	int rc = 0;

	waste_rows_begin(list);
	if (!at)
		rc = write_now(list, request->server, state, err);
	else if (strcmp(state, "ended") != 0)
		rc = write_then(list, request->server, &then, err);
	waste_rows_end(list);
	return rc;
}

static void write_sums(const struct waste_list *list)
{
	struct row_writer *writer = list->writer;

	row_field(writer, "at", cell_time(list->now_at));
	row_field(writer, "currency", cell_text("USD"));
	row_field(writer, "usd_hour", cell_double(cost_usd(list->nusd_hour)));
	row_field(writer, "wasted_usd", cell_double(cost_usd(list->wasted_nusd)));
	row_field(writer, "saved_usd", cell_double(cost_usd(list->saved_nusd)));
	row_field(writer, "unpriced", cell_i64(list->unpriced));
	row_field(writer, "count", cell_i64(list->count));
	row_field(writer, "open", cell_i64(list->open));
}

/* What is known of hosts over the days, and of budgets. */
struct waste_beside {
	struct finding_source source;
	struct budgets budgets;
	struct findings findings;
};

static void waste_beside_clear(struct waste_beside *beside)
{
	findings_clear(&beside->findings);
	budgets_clear(&beside->budgets);
	finding_source_clear(&beside->source);
}

static int read_beside(struct waste_beside *beside, const struct request *request, int64_t now,
		       struct error *err)
{
	struct finding_input *input = &beside->source.input;
	int rc = finding_source_of_hosts(request->server, request_number(request, "days"),
					 &beside->source, err);

	if (rc == 0)
		rc = budgets_read(request->server, now, &beside->budgets, err);
	if (rc)
		return rc;
	input->budgets = beside->budgets.items;
	input->budget_count = beside->budgets.known ? beside->budgets.count : 0;
	return findings_find(input, &beside->findings);
}

/* Of a kind that is misspelt nothing would be found. */
static int check_kind(const char *kind, struct error *err)
{
	const char *kinds[KINDS_MOST], *nearest;
	size_t count = 0;

	for (; count < KINDS_MOST && waste_kind(count); count++) {
		if (!kind || strcmp(kind, waste_kind(count)) == 0)
			return 0;
		kinds[count] = waste_kind(count);
	}
	nearest = text_nearest(kind, kinds, count);
	return error_set(err, -EINVAL, "there is no kind of waste \"%s\"; %s%s%s", kind,
			 nearest ? "did you mean " : "docs/sweep.md lists them",
			 nearest ? nearest : "", nearest ? "?" : "");
}

int get_waste(struct request *request, struct reply *reply)
{
	CLEANUP(waste_beside_clear) struct waste_beside beside = { 0 };
	const char *at_text = request_text(request, "at");
	int64_t now = clock_real_ns(), at = 0;
	struct row_writer writer;
	struct waste_list list = { .writer = &writer,
				   .kind = request_text(request, "kind"),
				   .user = request_text(request, "user"),
				   .host = request_text(request, "host"),
				   .limit = request_number(request, "limit") };
	int rc = check_kind(list.kind, &reply->error);

	if (rc == 0 && at_text)
		rc = instant_parse(at_text, &at, &reply->error);
	if (rc == 0)
		rc = read_beside(&beside, request, now, &reply->error);
	if (rc)
		return rc;
	list.now_at = at ? at : now;
	list.since_at = list.now_at - request_number(request, "days") * 86400 * NS_PER_S;
	answer_begin(&writer, request, reply);
	rc = write_wastes(&list, request, at, &reply->error);
	if (rc)
		return rc;
	write_sums(&list);
	findings_write(&writer, &beside.findings, true);
	rc = write_hosts(&writer, &beside.source);
	row_writer_end(&writer);
	return rc;
}
