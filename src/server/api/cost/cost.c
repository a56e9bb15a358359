/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cost/price.h"
#include "cost/sheet_rows.h"
#include "server/api/cost/cost_ask.h"
#include "server/api/cost/cost_points.h"
#include "server/api/handlers.h"
#include "server/query/run_readable.h"
#include "server/rows/answer.h"

#define GB          1e9
#define INPUT_LEAST 1000000 /* bytes of which a cost a GB is said: less is a script */

static struct cell usd(bool known, int64_t nusd)
{
	return known ? cell_double(cost_usd(nusd)) : CELL_NONE;
}

static struct cell ratio(bool known, int64_t nusd, double of)
{
	return known && of > 0 ? cell_double(cost_usd(nusd) / of) : CELL_NONE;
}

static const struct row_column COLUMNS[] = {
	{ "key", STORE_TEXT },
	{ "id", STORE_TEXT },
	{ "runs", STORE_I64 },
	{ "tasks", STORE_I64 },
	{ "samples", STORE_I64 },
	{ "cpu_s", STORE_DOUBLE },
	{ "input_bytes", STORE_I64 },
	{ "used_usd", STORE_DOUBLE },
	{ "unused_usd", STORE_DOUBLE },
	{ "idle_usd", STORE_DOUBLE },
	{ "cost_usd", STORE_DOUBLE },
	{ "unallocated_usd", STORE_DOUBLE },
	{ "usd_per_sample", STORE_DOUBLE },
	{ "usd_per_gb", STORE_DOUBLE },
	{ "instance_id", STORE_TEXT },
	{ "price_usd_hour", STORE_DOUBLE },
	{ "price_source", STORE_TEXT },
};

/* What rows of hosts have besides: the name in the bill, the price. */
static void fill_host(const struct sheet *sheet, const struct sheet_row *row, struct cell cells[3])
{
	bool one = *row->id && row->host != SIZE_MAX; /* an instance type is of several */
	const struct sheet_host *host = one ? &sheet->hosts[row->host] : NULL;
	const struct sheet_price *price = host ? sheet_last_price(host) : NULL;

	cells[0] = cells[1] = cells[2] = CELL_NONE;
	if (host)
		cells[0] = cell_text(*host->instance_id ? host->instance_id : NULL);
	if (price && price->known) {
		cells[1] = usd(true, price->nusd_hour);
		cells[2] = cell_text(price->source);
	}
}

static void write_row(struct row_writer *writer, const struct sheet *sheet,
		      const struct sheet_row *row, bool of_hosts, bool by_sample)
{
	bool known = row->priced;
	int64_t cost = cost_part_sum(&row->part);
	struct cell host[3];

	fill_host(sheet, row, host);
	const struct cell cells[] = {
		cell_text(row->key),
		cell_text(*row->id ? row->id : NULL),
		cell_i64((int64_t)row->runs),
		cell_i64((int64_t)row->tasks),
		cell_i64((int64_t)row->samples),
		cell_seconds((int64_t)row->cpu_ns),
		row->input_bytes < 0 ? CELL_NONE : cell_i64(row->input_bytes),
		usd(known, row->part.used_nusd),
		usd(known, row->part.unused_nusd),
		usd(known, row->part.idle_nusd),
		usd(known, cost),
		usd(row->unallocated_known && of_hosts, row->unallocated_nusd),
		ratio(known && by_sample && row->sampled_runs == row->runs, cost,
		      (double)row->samples),
		ratio(known && row->input_bytes >= INPUT_LEAST, cost,
		      (double)row->input_bytes / GB),
		host[0],
		host[1],
		host[2],
	};

	ROW_LIST_ADD(writer, cells);
}

static void write_rows(struct row_writer *writer, const char *name, const struct sheet *sheet,
		       const struct sheet_rows *rows, const struct cost_asked *asked)
{
	enum sheet_level level = sheet_key_find(asked->choice.by)->level;
	bool of_hosts = (level == SHEET_OF_HOST || level == SHEET_OF_TIME) &&
			!sheet_is_partial(&asked->choice);

	ROW_LIST_BEGIN(writer, name, COLUMNS);
	for (size_t i = 0; i < rows->count && i < (size_t)asked->limit; i++)
		write_row(writer, sheet, &rows->items[i], of_hosts, level != SHEET_OF_TOOL);
	row_list_end(writer);
}

/* What hosts cost as a whole is not for who may read some runs only, and is no sum of some rows.
 * Where no host has a price nothing is known; where some have none, it is of the others. */
static void write_sums(struct row_writer *writer, const struct sheet_rows *rows,
		       const struct cost_asked *asked)
{
	bool known = rows->hosts > rows->unpriced_hosts || !rows->hosts;
	bool whole = known && !sheet_is_partial(&asked->choice);

	row_field(writer, "whole_usd", usd(whole, rows->whole_nusd));
	row_field(writer, "used_usd", usd(known, rows->part.used_nusd));
	row_field(writer, "unused_usd", usd(known, rows->part.unused_nusd));
	row_field(writer, "idle_usd", usd(known, rows->part.idle_nusd));
	row_field(writer, "cost_usd", usd(known, cost_part_sum(&rows->part)));
	row_field(writer, "unallocated_usd", usd(whole, rows->unallocated_nusd));
	row_field(writer, "unpriced_hosts", cell_i64((int64_t)rows->unpriced_hosts));
	row_field(writer, "billed", cell_bool(rows->billed));
	row_field(writer, "row_count", cell_i64((int64_t)rows->count));
}

static void write_answer(struct row_writer *writer, const struct sheet *sheet,
			 const struct sheet_rows *rows, const struct cost_asked *asked,
			 const char *by)
{
	row_field(writer, "by", cell_text(by));
	row_field(writer, "since_at", cell_time(sheet->since_at));
	row_field(writer, "until_at", cell_time(sheet->until_at));
	row_field(writer, "split", cell_text(asked->ask.rule == COST_RULE_AWS ? "aws" : "held"));
	row_field(writer, "currency", cell_text("USD"));
	write_sums(writer, rows, asked);
	write_rows(writer, "rows", sheet, rows, asked);
	cost_points_write(writer, rows, asked->over);
}

/* The sheet of a request, and its rows. */
struct cost_answer {
	struct cost_asked asked;
	struct sheet *sheet;
	struct sheet_rows rows;
	bool *readable;
};

static void answer_clear(struct cost_answer *answer)
{
	sheet_rows_clear(&answer->rows);
	sheet_free(answer->sheet);
	free(answer->readable);
}

static int make(struct request *request, struct cost_answer *ret, struct error *err)
{
	int rc = cost_asked_read(request, &ret->asked, err);

	if (rc == 0)
		rc = sheet_read(request->server, &ret->asked.ask, &ret->sheet, err);
	if (rc == 0)
		rc = run_readable(request, ret->sheet, &ret->readable, err);
	if (rc)
		return rc;
	ret->asked.choice.readable = ret->readable;
	rc = sheet_rows_make(ret->sheet, &ret->asked.choice, &ret->rows);
	if (rc == 0)
		rc = sheet_rows_sort(&ret->rows, ret->asked.choice.by);
	return rc ? error_set(err, rc, "no memory for the rows of costs") : 0;
}

int get_cost(struct request *request, struct reply *reply)
{
	CLEANUP(answer_clear) struct cost_answer answer = { 0 };
	struct row_writer writer;
	int rc = make(request, &answer, &reply->error);

	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_answer(&writer, answer.sheet, &answer.rows, &answer.asked,
		     request_text(request, "by"));
	row_writer_end(&writer);
	return 0;
}

int get_cost_csv(struct request *request, struct reply *reply)
{
	CLEANUP(answer_clear) struct cost_answer answer = { 0 };
	struct row_writer writer;
	int rc = make(request, &answer, &reply->error);

	if (rc)
		return rc;
	reply->type = ROW_FORMAT_CSV.media_type;
	row_writer_init(&writer, &ROW_FORMAT_CSV, &reply->body);
	write_rows(&writer, NULL, answer.sheet, &answer.rows, &answer.asked);
	return 0;
}
