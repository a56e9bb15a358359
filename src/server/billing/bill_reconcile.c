/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/bill_reconcile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/billing/sheet_read.h"
#include "server/query/query.h"

#define CURRENCY "USD"
#define HOUR_NS  (3600 * (int64_t)NS_PER_S)
#define PART_NS  (240 * HOUR_NS) /* of a month, read at once */

/* The hours of instances that the bill has lines of; since_at = until_at: none. */
struct window {
	int64_t since_at, until_at;
};

void bill_reconciled_free(struct bill_reconciled *bill)
{
	if (!bill)
		return;
	store_rows_free(bill->sums);
	store_rows_free(bill->kinds);
	for (size_t i = 0; i < bill->part_count; i++)
		store_rows_free(bill->parts[i]);
	free(bill->parts);
	sheet_free(bill->billed);
	sheet_free(bill->listed);
	free(bill->names);
	free(bill->invoices);
	free(bill->hours);
	free(bill);
}

static size_t find_name(const struct bill_reconciled *bill, const char *name)
{
	for (size_t i = 0; i < bill->count; i++)
		if (strcmp(bill->names[i], name) == 0)
			return i;
	return SIZE_MAX;
}

size_t bill_reconciled_find(const struct bill_reconciled *bill, const char *name,
			    const char *currency)
{
	return strcmp(currency, CURRENCY) == 0 ? find_name(bill, name) : SIZE_MAX;
}

/* *ret: the index of the invoice, which is added where it is new. */
static int add_invoice(struct bill_reconciled *bill, const char *name, int64_t billed_nusd,
		       size_t *ret)
{
	const char **names;
	struct invoice *invoices;

	*ret = find_name(bill, name);
	if (*ret != SIZE_MAX)
		return 0;
	names = realloc(bill->names, (bill->count + 1) * sizeof(*names));
	if (!names)
		return -ENOMEM;
	bill->names = names;
	invoices = realloc(bill->invoices, (bill->count + 1) * sizeof(*invoices));
	if (!invoices)
		return -ENOMEM;
	bill->invoices = invoices;
	invoices[bill->count] = (struct invoice){ .billed_nusd = billed_nusd };
	names[bill->count] = name;
	*ret = bill->count++;
	return 0;
}

static int read_sums(struct server *server, const char *id, struct bill_reconciled *bill,
		     struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("bill", id) };
	int rc = QUERY(server, "bill_sums", params, &bill->sums, err);
	size_t index;

	while (!rc && store_next(bill->sums))
		if (strcmp(row_text(bill->sums, "currency"), CURRENCY) == 0)
			rc = add_invoice(bill, row_text(bill->sums, "invoice"),
					 row_i64(bill->sums, "billed_nusd"), &index);
	bill->own_count = bill->count;
	if (!rc)
		rc = QUERY(server, "bill_kinds", params, &bill->kinds, err);
	return rc;
}

static struct window window_of(struct store_rows *kinds)
{
	struct window window = { INT64_MAX, INT64_MIN };

	store_rewind(kinds);
	while (store_next(kinds)) {
		int64_t since_at = row_i64(kinds, "since_at"),
			until_at = row_i64(kinds, "until_at");

		if (!row_bool(kinds, "of_instance"))
			continue;
		window.since_at = since_at < window.since_at ? since_at : window.since_at;
		window.until_at = until_at > window.until_at ? until_at : window.until_at;
	}
	if (window.since_at > window.until_at)
		return (struct window){ 0, 0 };
	window.since_at -= window.since_at % HOUR_NS;
	window.until_at += (HOUR_NS - window.until_at % HOUR_NS) % HOUR_NS;
	return window;
}

static int add_hours(struct bill_reconciled *bill, struct store_rows *rows, size_t *room)
{
	int rc = 0;

	while (!rc && store_next(rows)) {
		struct billed_hour hour = { .instance_id = row_text(rows, "instance_id"),
					    .hour_at = row_i64(rows, "hour_at"),
					    .billed_nusd = row_i64(rows, "billed_nusd"),
					    .effective_nusd = row_i64(rows, "effective_nusd"),
					    .used_ns = row_i64(rows, "used_ns") };

		if (bill->hour_count == *room) {
			struct billed_hour *hours =
				realloc(bill->hours, (2 * *room + 256) * sizeof(*hours));

			if (!hours)
				return -ENOMEM;
			bill->hours = hours;
			*room = 2 * *room + 256;
		}
		rc = add_invoice(bill, row_text(rows, "invoice"), 0, &hour.invoice);
		bill->hours[bill->hour_count++] = hour;
	}
	return rc;
}

static int by_instance_and_hour(const void *a_, const void *b_)
{
	const struct billed_hour *a = a_, *b = b_;
	int order = strcmp(a->instance_id, b->instance_id);

	if (!order)
		order = (a->hour_at > b->hour_at) - (a->hour_at < b->hour_at);
	return order ? order : (a->invoice > b->invoice) - (a->invoice < b->invoice);
}

/* In parts, since an answer of the store has a limit. */
static int read_hours(struct server *server, const struct window *window,
		      struct bill_reconciled *bill, struct error *err)
{
	size_t room = 0, parts = (size_t)((window->until_at - window->since_at) / PART_NS) + 1;
	int rc = 0;

	bill->parts = calloc(parts, sizeof(struct store_rows *));
	if (!bill->parts)
		return error_set(err, -ENOMEM, "no memory for the hours of a bill");
	for (int64_t at = window->since_at; !rc && at < window->until_at; at += PART_NS) {
		int64_t until_at =
			window->until_at - at < PART_NS ? window->until_at : at + PART_NS;
		const struct store_param params[] = { PARAM_TIME("since_at", at),
						      PARAM_TIME("until_at", until_at) };
		struct store_rows **rows = &bill->parts[bill->part_count];

		rc = QUERY(server, "bill_hours", params, rows, err);
		bill->part_count += !rc;
		if (!rc && add_hours(bill, *rows, &room))
			rc = error_set(err, -ENOMEM, "no memory for the hours of a bill");
	}
	if (!rc && bill->hour_count)
		qsort(bill->hours, bill->hour_count, sizeof(*bill->hours), by_instance_and_hour);
	return rc;
}

static int read_window(struct server *server, const struct window *window,
		       struct bill_reconciled *bill, struct error *err)
{
	struct sheet_ask ask = { .since_at = window->since_at,
				 .until_at = window->until_at,
				 .bucket = SHEET_HOUR,
				 .rule = COST_RULE_HELD,
				 .billed = true };
	int rc = read_hours(server, window, bill, err);

	if (!rc)
		rc = sheet_read(server, &ask, &bill->billed, err);
	ask.billed = false;
	ask.costs_only = true;
	return rc ? rc : sheet_read(server, &ask, &bill->listed, err);
}

/* NULL: no memory. */
static struct billed_kind *list_kinds(struct bill_reconciled *bill, size_t *ret_count)
{
	struct billed_kind *kinds = NULL;

	*ret_count = 0;
	store_rewind(bill->kinds);
	for (size_t count = 0; store_next(bill->kinds);) {
		size_t invoice = bill_reconciled_find(bill, row_text(bill->kinds, "invoice"),
						      row_text(bill->kinds, "currency"));
		struct billed_kind *larger;

		if (invoice == SIZE_MAX)
			continue;
		larger = realloc(kinds, (count + 1) * sizeof(*kinds));
		if (!larger) {
			free(kinds);
			return NULL;
		}
		kinds = larger;
		kinds[count++] = (struct billed_kind){
			.invoice = invoice,
			.kind = row_text(bill->kinds, "kind"),
			.committed = row_bool(bill->kinds, "committed"),
			.of_instance = row_bool(bill->kinds, "of_instance"),
			.billed_nusd = row_i64(bill->kinds, "billed_nusd"),
			.effective_nusd = row_i64(bill->kinds, "effective_nusd"),
		};
		*ret_count = count;
	}
	return kinds ? kinds : calloc(1, sizeof(*kinds));
}

static int hold_against(struct bill_reconciled *bill)
{
	size_t kind_count = 0, seen_count = 0;
	CLEANUP(freep) struct billed_kind *kinds = list_kinds(bill, &kind_count);
	CLEANUP(freep) struct seen_hour *seen = NULL;
	int rc = kinds ? 0 : -ENOMEM;

	if (!rc && bill->billed)
		rc = seen_hours(bill->billed, bill->listed, &seen, &seen_count);
	if (rc)
		return rc;
	reconcile(&(struct reconcile){ .invoices = bill->invoices,
				       .invoice_count = bill->count,
				       .hours = bill->hours,
				       .hour_count = bill->hour_count,
				       .kinds = kinds,
				       .kind_count = kind_count,
				       .seen = seen,
				       .seen_count = seen_count });
	return 0;
}

int bill_reconcile(struct server *server, const char *id, struct bill_reconciled **ret,
		   struct error *err)
{
	CLEANUP(bill_reconciled_freep)
	struct bill_reconciled *bill = calloc(1, sizeof(*bill));
	struct window window;
	int rc;

	if (!bill)
		return error_set(err, -ENOMEM, "no memory for a bill");
	rc = read_sums(server, id, bill, err);
	if (rc)
		return rc;
	window = window_of(bill->kinds);
	if (window.since_at < window.until_at)
		rc = read_window(server, &window, bill, err);
	if (!rc && hold_against(bill))
		rc = error_set(err, -ENOMEM, "no memory for a bill");
	if (!rc)
		*ret = TAKE_PTR(bill);
	return rc;
}
