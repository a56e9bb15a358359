/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "cost/price.h"
#include "server/api/handlers.h"
#include "server/billing/bill_reconcile.h"
#include "server/query/query.h"
#include "server/rows/answer.h"
#include "server/rows/query_rows.h"
#include "server/server.h"

/* Bills that were imported, and how they agree with what agents reported. */

static struct cell text_cell(const struct store_rows *rows, const char *column)
{
	const char *text = row_text(rows, column);

	return cell_text(*text ? text : NULL);
}

static struct cell usd_cell(bool known, int64_t nusd)
{
	return known ? cell_double(cost_usd(nusd)) : CELL_NONE;
}

static bool is_usd(const struct store_rows *rows)
{
	return strcmp(row_text(rows, "currency"), "USD") == 0;
}

static void write_period(struct row_writer *writer, const struct store_rows *rows)
{
	bool usd = is_usd(rows);
	const struct cell cells[] = {
		text_cell(rows, "id"),
		text_cell(rows, "name"),
		text_cell(rows, "format"),
		cell_time(row_i64(rows, "imported_at")),
		cell_bool(row_bool(rows, "complete")),
		text_cell(rows, "provider"),
		text_cell(rows, "billing_account"),
		cell_time(row_i64(rows, "period_since")),
		cell_time(row_i64(rows, "period_until")),
		cell_bool(row_bool(rows, "final")),
		cell_bool(row_bool(rows, "corrects")),
		cell_i64(row_i64(rows, "lines")),
		text_cell(rows, "currency"),
		text_cell(rows, "billed"),
		usd_cell(usd, row_i64(rows, "billed_nusd")),
		usd_cell(usd, row_i64(rows, "effective_nusd")),
		text_cell(rows, "superseded_by"),
	};

	row_list_add(writer, cells, sizeof(cells) / sizeof(cells[0]));
}

/* From the current row, or the first, to the last one. */
static void write_periods(struct row_writer *writer, const char *name, struct store_rows *rows)
{
	static const struct row_column COLUMNS[] = {
		{ "id", STORE_TEXT },
		{ "name", STORE_TEXT },
		{ "format", STORE_TEXT },
		{ "imported_at", STORE_TIME },
		{ "complete", STORE_BOOL },
		{ "provider", STORE_TEXT },
		{ "account_id", STORE_TEXT },
		{ "since_at", STORE_TIME },
		{ "until_at", STORE_TIME },
		{ "final", STORE_BOOL },
		{ "corrects", STORE_BOOL },
		{ "lines", STORE_I64 },
		{ "currency", STORE_TEXT },
		{ "billed", STORE_TEXT },
		{ "billed_usd", STORE_DOUBLE },
		{ "effective_usd", STORE_DOUBLE },
		{ "superseded_by", STORE_TEXT },
	};

	store_rewind(rows);
	ROW_LIST_BEGIN(writer, name, COLUMNS);
	while (store_next(rows))
		write_period(writer, rows);
	row_list_end(writer);
}

/* id: NULL: of all. */
static int read_bills(struct request *request, const char *id, struct store_rows **ret,
		      struct error *err)
{
	const struct store_param params[] = { PARAM_OPTIONAL("bill", id) };

	return QUERY(request->server, "bills", params, ret, err);
}

int get_bills(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct row_writer writer;
	int rc = read_bills(request, NULL, &rows, &reply->error);

	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_periods(&writer, "bills", rows);
	row_writer_end(&writer);
	return 0;
}

static void write_invoices(struct row_writer *writer, const struct bill_reconciled *bill)
{
	static const struct row_column COLUMNS[] = {
		{ "invoice", STORE_TEXT },
		{ "currency", STORE_TEXT },
		{ "lines", STORE_I64 },
		{ "billed", STORE_TEXT },
		{ "effective", STORE_TEXT },
		{ "billed_usd", STORE_DOUBLE },
		{ "effective_usd", STORE_DOUBLE },
		{ "tasks_usd", STORE_DOUBLE },
		{ "engines_usd", STORE_DOUBLE },
		{ "unallocated_usd", STORE_DOUBLE },
		{ "remainder_usd", STORE_DOUBLE },
	};

	ROW_LIST_BEGIN(writer, "invoices", COLUMNS);
	store_rewind(bill->sums);
	while (store_next(bill->sums)) {
		size_t index = bill_reconciled_find(bill, row_text(bill->sums, "invoice"),
						    row_text(bill->sums, "currency"));
		bool usd = index != SIZE_MAX;
		struct invoice invoice = usd ? bill->invoices[index] : (struct invoice){ 0 };
		int64_t shown =
			invoice.tasks_nusd + invoice.engines_nusd + invoice.unallocated_nusd;
		const struct cell cells[] = {
			text_cell(bill->sums, "invoice"),
			text_cell(bill->sums, "currency"),
			cell_i64(row_i64(bill->sums, "lines")),
			text_cell(bill->sums, "billed"),
			text_cell(bill->sums, "effective"),
			usd_cell(usd, row_i64(bill->sums, "billed_nusd")),
			usd_cell(usd, row_i64(bill->sums, "effective_nusd")),
			usd_cell(usd, invoice.tasks_nusd),
			usd_cell(usd, invoice.engines_nusd),
			usd_cell(usd, invoice.unallocated_nusd),
			usd_cell(usd, invoice.billed_nusd - shown),
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

static void add_remainder(struct row_writer *writer, const char *invoice, enum remainder name,
			  const char *service, int64_t nusd)
{
	const struct cell cells[] = {
		cell_text(invoice),
		cell_text(REMAINDER_NAMES[name].key),
		cell_text(REMAINDER_NAMES[name].title),
		cell_text(service),
		cell_double(cost_usd(nusd)),
		cell_i64(nusd),
	};

	if (nusd)
		ROW_LIST_ADD(writer, cells);
}

/* Other services: a row each. */
static void add_services(struct row_writer *writer, const struct bill_reconciled *bill,
			 size_t invoice)
{
	store_rewind(bill->kinds);
	while (store_next(bill->kinds))
		if (strcmp(row_text(bill->kinds, "kind"), "other") == 0 &&
		    bill_reconciled_find(bill, row_text(bill->kinds, "invoice"),
					 row_text(bill->kinds, "currency")) == invoice)
			add_remainder(writer, bill->names[invoice], REMAINDER_OTHER,
				      row_text(bill->kinds, "service"),
				      row_i64(bill->kinds, "effective_nusd"));
}

static void write_remainder(struct row_writer *writer, const struct bill_reconciled *bill)
{
	static const struct row_column COLUMNS[] = {
		{ "invoice", STORE_TEXT }, { "name", STORE_TEXT },  { "title", STORE_TEXT },
		{ "service", STORE_TEXT }, { "usd", STORE_DOUBLE }, { "nusd", STORE_I64 },
	};

	ROW_LIST_BEGIN(writer, "remainder", COLUMNS);
	for (size_t i = 0; i < bill->own_count; i++)
		for (enum remainder name = 0; name < REMAINDERS_COUNT; name++)
			if (name == REMAINDER_OTHER)
				add_services(writer, bill, i);
			else
				add_remainder(writer, bill->names[i], name, NULL,
					      bill->invoices[i].remainder[name]);
	row_list_end(writer);
}

static void write_hours(struct row_writer *writer, const struct bill_reconciled *bill,
			int64_t limit)
{
	static const struct row_column COLUMNS[] = {
		{ "invoice", STORE_TEXT },
		{ "instance_id", STORE_TEXT },
		{ "at", STORE_TIME },
		{ "billed_s", STORE_DOUBLE },
		{ "up_s", STORE_DOUBLE },
		{ "billed_usd", STORE_DOUBLE },
		{ "effective_usd", STORE_DOUBLE },
		{ "cost_usd", STORE_DOUBLE },
		{ "listed_usd", STORE_DOUBLE },
	};

	ROW_LIST_BEGIN(writer, "hours", COLUMNS);
	for (size_t i = 0; i < bill->hour_count && limit > 0; i++) {
		const struct billed_hour *hour = &bill->hours[i];
		const struct cell cells[] = {
			cell_text(bill->names[hour->invoice]),
			cell_text(hour->instance_id),
			cell_time(hour->hour_at),
			cell_seconds(hour->used_ns),
			hour->seen ? cell_seconds(hour->up_ns) : CELL_NONE,
			usd_cell(true, hour->billed_nusd),
			usd_cell(true, hour->effective_nusd),
			usd_cell(hour->seen, hour->seen_nusd),
			usd_cell(hour->listed, hour->listed_nusd),
		};

		if (hour->invoice >= bill->own_count)
			continue;
		ROW_LIST_ADD(writer, cells);
		limit--;
	}
	row_list_end(writer);
}

/* The id of the file that the route names; NULL with a reply: none, or several. */
static const char *find_id(const char *wanted, struct store_rows *rows, struct error *err, int *rc)
{
	const char *id = NULL;

	*rc = 0;
	while (store_next(rows)) {
		if (id && strcmp(id, row_text(rows, "id")) != 0) {
			*rc = error_set(err, -EINVAL,
					"several bills have ids that begin with \"%s\"", wanted);
			return NULL;
		}
		id = row_text(rows, "id");
	}
	if (!id)
		*rc = error_set(err, -ENOENT, "no bill has the id \"%s\"; `tracer bill` lists them",
				wanted);
	return id;
}

int get_bill(struct request *request, struct reply *reply)
{
	CLEANUP(bill_reconciled_freep) struct bill_reconciled *bill = NULL;
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct row_writer writer;
	const char *id = NULL;
	int rc = read_bills(request, request->param, &rows, &reply->error);

	if (!rc)
		id = find_id(request->param, rows, &reply->error, &rc);
	if (!rc)
		rc = bill_reconcile(request->server, id, &bill, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	row_field(&writer, "id", cell_text(id));
	write_periods(&writer, "periods", rows);
	write_invoices(&writer, bill);
	write_remainder(&writer, bill);
	if (strcmp(request_text(request, "hours"), "true") == 0)
		write_hours(&writer, bill, request_number(request, "limit"));
	row_writer_end(&writer);
	return 0;
}
