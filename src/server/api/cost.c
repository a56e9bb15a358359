/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "server/query/query.h"
#include "server/billing/cost_rows.h"
#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/server.h"

static const struct {
	const char *name;
	int (*fill)(struct cost_rows *rows, const struct bill *bill); /* NULL: by tool */
} KEYS[] = {
	{ "pipeline", cost_by_pipeline }, { "run", cost_by_run },   { "step", cost_by_step },
	{ "instance", cost_by_instance }, { "user", cost_by_user }, { "tool", NULL },
};

static int fill_by_tool(struct server *server, struct cost_rows *rows, const struct bill *bill,
			struct error *err)
{
	const struct store_param window[] = { ASK_TIME("since_at", bill->since_at),
					      ASK_TIME("until_at", bill->until_at) };
	CLEANUP(store_rows_freep) struct store_rows *tools = NULL;
	int rc = ASK(server, "activity_tools", window, &tools, err);

	return rc ? rc : cost_by_tool(rows, bill, tools);
}

static int fill(struct server *server, const char *by, struct cost_rows *rows,
		const struct bill *bill, struct error *err)
{
	size_t i = 0;
	int rc = cost_rows_init(rows, bill);

	while (strcmp(KEYS[i].name, by) != 0)
		i++;
	if (rc == 0)
		rc = KEYS[i].fill ? KEYS[i].fill(rows, bill)
				  : fill_by_tool(server, rows, bill, err);
	if (rc == 0)
		cost_rows_sort(rows);
	return rc;
}

static void write_usd(struct json *json, const char *key, bool known, int64_t nusd)
{
	json_key(json, key);
	if (known)
		json_double(json, bill_usd(nusd));
	else
		json_none(json);
}

static void write_row(struct json *json, const struct cost_row *row)
{
	json_object_begin(json);
	json_key(json, "key");
	json_text(json, row->key);
	json_key(json, "runs");
	json_u64(json, row->runs);
	write_usd(json, "cost_usd", row->priced, row->nusd);
	json_key(json, "cpu_s");
	json_double(json, (double)row->cpu_ns / (double)NS_PER_S);
	json_object_end(json);
}

static void write_rows(struct json *json, const char *by, const struct cost_rows *rows)
{
	/* With no price at all nothing is known; with none missing all of it is. */
	bool known = rows->priced_hosts || !rows->unpriced_hosts;

	json_object_begin(json);
	json_key(json, "by");
	json_text(json, by);
	json_key(json, "rows");
	json_array_begin(json);
	for (size_t i = 0; i < rows->count; i++)
		write_row(json, &rows->items[i]);
	json_array_end(json);
	write_usd(json, "whole_usd", known, rows->whole_nusd);
	write_usd(json, "idle_usd", known, rows->idle_nusd);
	json_key(json, "unpriced_hosts");
	json_u64(json, rows->unpriced_hosts);
	json_object_end(json);
}

int get_cost(struct request *request, struct reply *reply)
{
	int64_t now = clock_real_ns();
	const char *by = request_text(request, "by");
	CLEANUP(cost_rows_clear) struct cost_rows rows = { 0 };
	CLEANUP(bill_freep) struct bill *bill = NULL;
	struct json json;
	int rc =
		bill_make(request->server, now - request_number(request, "days") * 86400 * NS_PER_S,
			  now, &bill, &reply->error);

	if (rc == 0)
		rc = fill(request->server, by, &rows, bill, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	write_rows(&json, by, &rows);
	return 0;
}
