/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "server/api/handlers.h"
#include "cost/bill_rows.h"
#include "server/billing/bill_tools.h"
#include "server/billing/run_bill.h"
#include "server/query/query.h"
#include "server/rows/answer.h"

static const struct {
	const char *name;
	int (*fill)(struct bill_rows *rows, const struct bill *bill); /* NULL: by tool */
} KEYS[] = {
	{ "pipeline", bill_by_pipeline }, { "run", bill_by_run },   { "step", bill_by_step },
	{ "instance", bill_by_instance }, { "user", bill_by_user }, { "tool", NULL },
};

static int fill_by_tool(struct server *server, struct bill_rows *rows, const struct bill *bill,
			struct error *err)
{
	const struct store_param window[] = { PARAM_TIME("since_at", bill->since_at),
					      PARAM_TIME("until_at", bill->until_at) };
	CLEANUP(store_rows_freep) struct store_rows *tools = NULL;
	int rc = QUERY(server, "activity_tools", window, &tools, err);

	return rc ? rc : bill_by_tool(rows, bill, tools);
}

static int fill(struct server *server, const char *by, struct bill_rows *rows,
		const struct bill *bill, struct error *err)
{
	size_t i = 0;
	int rc = bill_rows_init(rows, bill);

	while (strcmp(KEYS[i].name, by) != 0)
		i++;
	if (rc == 0)
		rc = KEYS[i].fill ? KEYS[i].fill(rows, bill)
				  : fill_by_tool(server, rows, bill, err);
	if (rc == 0)
		bill_rows_sort(rows);
	return rc;
}

static struct cell usd_cell(bool known, int64_t nusd)
{
	return known ? cell_double(cost_usd(nusd)) : CELL_NONE;
}

static void write_rows(struct row_writer *writer, const struct bill_rows *rows)
{
	static const struct row_column COLUMNS[] = {
		{ "key", STORE_TEXT },
		{ "runs", STORE_I64 },
		{ "cost_usd", STORE_DOUBLE },
		{ "cpu_s", STORE_DOUBLE },
	};

	ROW_LIST_BEGIN(writer, "rows", COLUMNS);
	for (size_t i = 0; i < rows->count; i++) {
		const struct bill_row *row = &rows->items[i];
		const struct cell cells[] = {
			cell_text(row->key),
			cell_i64((int64_t)row->runs),
			usd_cell(row->priced, row->nusd),
			cell_seconds((int64_t)row->cpu_ns),
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

static void write_answer(struct row_writer *writer, const char *by, const struct bill_rows *rows)
{
	/* Where no host has a price nothing is known; where each has one everything is. */
	bool known = rows->priced_hosts || !rows->unpriced_hosts;

	row_field(writer, "by", cell_text(by));
	write_rows(writer, rows);
	row_field(writer, "whole_usd", usd_cell(known, rows->whole_nusd));
	row_field(writer, "idle_usd", usd_cell(known, rows->idle_nusd));
	row_field(writer, "unpriced_hosts", cell_i64((int64_t)rows->unpriced_hosts));
}

int get_cost(struct request *request, struct reply *reply)
{
	int64_t now = clock_real_ns();
	const char *by = request_text(request, "by");
	CLEANUP(bill_rows_clear) struct bill_rows rows = { 0 };
	CLEANUP(bill_freep) struct bill *bill = NULL;
	struct row_writer writer;
	int rc =
		bill_make(request->server, now - request_number(request, "days") * 86400 * NS_PER_S,
			  now, &bill, &reply->error);

	if (rc == 0)
		rc = fill(request->server, by, &rows, bill, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_answer(&writer, by, &rows);
	row_writer_end(&writer);
	return 0;
}
