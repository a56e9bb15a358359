/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "server/api/handlers.h"
#include "cost/bill_rows.h"
#include "server/billing/bill_read.h"
#include "server/query/query.h"
#include "server/query/run_readable.h"
#include "server/rows/answer.h"

static const struct key {
	const char *name;
	enum bill_parts parts;
	int (*fill)(struct bill_rows *rows, const struct bill *bill);
} KEYS[] = {
	{ "pipeline", BILL_WHOLE, bill_by_pipeline }, { "run", BILL_WHOLE, bill_by_run },
	{ "step", BILL_STEPS, bill_by_step },         { "instance", BILL_WHOLE, bill_by_instance },
	{ "user", BILL_WHOLE, bill_by_user },         { "tool", BILL_TOOLS, bill_by_tool },
};

/* The route lets no other name through. */
static const struct key *find_key(const char *name)
{
	size_t i = 0;

	while (strcmp(KEYS[i].name, name) != 0)
		i++;
	return &KEYS[i];
}

/* shown: as of bill_rows. */
static int fill(const struct key *key, struct bill_rows *rows, const struct bill *bill,
		const bool *shown)
{
	int rc = bill_rows_init(rows, bill);

	rows->shown = shown;
	if (rc == 0)
		rc = key->fill(rows, bill);
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
	/* What all hosts cost is not for who may read some runs only. Where no host has a price
	 * nothing is known; where each has one everything is. */
	bool known = !rows->shown && (rows->priced_hosts || !rows->unpriced_hosts);

	row_field(writer, "by", cell_text(by));
	write_rows(writer, rows);
	row_field(writer, "whole_usd", usd_cell(known, rows->whole_nusd));
	row_field(writer, "idle_usd", usd_cell(known, rows->idle_nusd));
	row_field(writer, "unpriced_hosts", cell_i64((int64_t)rows->unpriced_hosts));
}

int get_cost(struct request *request, struct reply *reply)
{
	int64_t now = clock_real_ns();
	const struct key *key = find_key(request_text(request, "by"));
	CLEANUP(bill_rows_clear) struct bill_rows rows = { 0 };
	CLEANUP(bill_freep) struct bill *bill = NULL;
	CLEANUP(freep) bool *shown = NULL;
	struct row_writer writer;
	int rc =
		bill_make(request->server, now - request_number(request, "days") * 86400 * NS_PER_S,
			  now, key->parts, NULL, &bill, &reply->error);

	if (rc == 0)
		rc = run_readable(request, bill, &shown, &reply->error);
	if (rc == 0)
		rc = fill(key, &rows, bill, shown);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_answer(&writer, key->name, &rows);
	row_writer_end(&writer);
	return 0;
}
