/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run.h"

#include <errno.h>
#include <string.h>

#include "server/api/handlers.h"
#include "server/server.h"

static int open_run(struct server *server, const char *query, const char *id,
		    struct store_rows **ret, struct error *err)
{
	const struct store_param params[] = { ASK_TEXT("run", id) };
	int rc = ASK(server, query, params, ret, err);

	if (rc == 0 && !store_next(*ret))
		return error_set(err, -ENOENT, "the run is gone");
	return rc;
}

int run_bill(struct server *server, const char *id, struct bill **ret, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *span = NULL;
	int64_t now = clock_real_ns(), since_at, until_at;
	int rc = open_run(server, "run_span", id, &span, err);

	if (rc)
		return rc;
	since_at = ask_i64(span, "started_at");
	until_at = ask_i64(span, "ended_at");
	return bill_make(server, (since_at ? since_at : now) - RUN_MARGIN_NS,
			 (until_at ? until_at : now) + RUN_MARGIN_NS, ret, err);
}

bool run_priced(const struct bill *bill, const char *id)
{
	const struct bill_run *run = bill_run(bill, id);

	return run && run->priced;
}

static void write_usd(struct json *json, const char *key, bool known, int64_t nusd)
{
	json_key(json, key);
	if (known)
		json_double(json, bill_usd(nusd));
	else
		json_none(json);
}

/* What a step is given to add its cost. */
struct step_context {
	const struct bill *bill;
	const struct bill_run *run; /* NULL: unknown */
};

static void add_step_cost(const struct store_rows *rows, struct json *json, const void *context_)
{
	const struct step_context *context = context_;
	const struct bill *bill = context->bill;
	const char *step = ask_text(rows, "name");
	int64_t nusd = 0;

	for (size_t i = 0; i < bill->split.task_count; i++)
		if (context->run == &bill->runs[bill->tasks[i].run] &&
		    strcmp(bill->tasks[i].step, step) == 0)
			nusd += bill->split.tasks[i].nusd;
	write_usd(json, "cost_usd", context->run && context->run->priced, nusd);
}

static void write_cost_host(struct json *json, const struct bill *bill, size_t presence)
{
	const struct cost_presence *split = &bill->split.presences[presence];
	const struct bill_host *host = &bill->hosts[bill->stretches[split->host].host];

	json_object_begin(json);
	json_key(json, "id");
	json_text(json, host->id);
	json_key(json, "hostname");
	json_text(json, host->hostname);
	json_key(json, "price_usd_hour");
	json_double(json, host->usd_hour);
	json_key(json, "price_source");
	json_text(json, host->source);
	json_key(json, "share_s");
	json_double(json, (double)split->share_ns / (double)NS_PER_S);
	write_usd(json, "whole_usd", true, split->whole_nusd);
	json_object_end(json);
}

/* The price of all its hosts together; its source where they have one. */
static void write_price(struct json *json, const struct bill *bill, const struct bill_run *run)
{
	const char *source = NULL;
	double usd_hour = 0;

	for (size_t i = 0; i < bill->split.presence_count; i++) {
		const struct bill_host *host =
			&bill->hosts[bill->stretches[bill->split.presences[i].host].host];

		if (&bill->runs[bill->presence_runs[i]] != run)
			continue;
		usd_hour += host->usd_hour;
		source = !source || strcmp(source, host->source) == 0 ? host->source
								      : "several: see hosts";
	}
	json_key(json, "price_usd_hour");
	json_double(json, usd_hour);
	json_key(json, "price_source");
	json_text(json, source);
}

static void write_cost(struct json *json, const struct bill *bill, const struct bill_run *run)
{
	json_key(json, "cost");
	if (!run || !run->priced) {
		json_none(json);
		return;
	}
	json_object_begin(json);
	write_usd(json, "whole_usd", true, run->whole_nusd);
	write_usd(json, "tasks_usd", true, run->tasks_nusd);
	write_usd(json, "engine_usd", true, run->engine_nusd);
	write_usd(json, "idle_usd", true, run->idle_nusd);
	write_price(json, bill, run);
	json_key(json, "hosts");
	json_array_begin(json);
	for (size_t i = 0; i < bill->split.presence_count; i++)
		if (&bill->runs[bill->presence_runs[i]] == run)
			write_cost_host(json, bill, i);
	json_array_end(json);
	json_object_end(json);
}

/* Columns [from, to) as members of one object; the caller ends it. */
static void begin_part(struct json *json, const char *key, const struct store_rows *rows,
		       size_t from, size_t to)
{
	json_key(json, key);
	json_object_begin(json);
	for (size_t i = from; i < to; i++) {
		json_key(json, store_column_name(rows, i));
		ask_value(rows, i, json);
	}
}

/* What its tasks took, and what it took beside them: null where nothing ran there. */
static void write_shares(struct json *json, struct store_rows *shares)
{
	static const char *const KEYS[] = { "tasks", "engine" };
	bool left = store_next(shares);

	json_key(json, "shares");
	json_object_begin(json);
	for (size_t i = 0; i < 2; i++) {
		if (left && ask_bool(shares, "of_tasks") == (i == 0)) {
			begin_part(json, KEYS[i], shares, 1, store_columns(shares));
			json_object_end(json);
			left = store_next(shares);
		} else {
			json_key(json, KEYS[i]);
			json_none(json);
		}
	}
	json_object_end(json);
}

/* What the store told of a run. */
struct run_rows {
	struct store_rows *run, *shares, *steps;
};

static void run_rows_clear(struct run_rows *rows)
{
	store_rows_free(rows->run);
	store_rows_free(rows->shares);
	store_rows_free(rows->steps);
}

static int run_rows_ask(struct server *server, const char *id, struct run_rows *rows,
			struct error *err)
{
	const struct store_param params[] = { ASK_TEXT("run", id) };
	int rc = open_run(server, "run", id, &rows->run, err);

	if (rc == 0)
		rc = ASK(server, "shares", params, &rows->shares, err);
	if (rc == 0)
		rc = ASK(server, "steps", params, &rows->steps, err);
	return rc;
}

static void write_run(struct json *json, struct run_rows *rows, const struct bill *bill,
		      const char *id)
{
	const struct step_context context = { bill, bill_run(bill, id) };
	const struct store_rows *run = rows->run;
	size_t sums = (size_t)store_column(run, "cwd") + 1;

	json_object_begin(json);
	begin_part(json, "run", run, 0, sums);
	json_object_end(json);
	begin_part(json, "totals", run, sums, store_columns(run));
	write_usd(json, "cost_usd", run_priced(bill, id),
		  context.run ? context.run->whole_nusd : 0);
	json_object_end(json);
	write_shares(json, rows->shares);
	ask_list(json, "steps", rows->steps, add_step_cost, &context);
	write_cost(json, bill, context.run);
	json_object_end(json);
}

int get_run(struct request *request, struct reply *reply)
{
	CLEANUP(run_rows_clear) struct run_rows rows = { NULL };
	CLEANUP(bill_freep) struct bill *bill = NULL;
	struct error *err = &reply->error;
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = run_rows_ask(request->server, id, &rows, err);
	if (rc == 0)
		rc = run_bill(request->server, id, &bill, err);
	if (rc)
		return rc;
	json_init(&json, &reply->body, false);
	write_run(&json, &rows, bill, id);
	reply->tagged = true;
	return 0;
}
