/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/cleanup.h"
#include "cost/invoice/reconcile.h"
#include "lake/store/store.h"

struct server;

/* The invoices of a file, and of those that were imported with it, beside what agents reported. */
struct bill_reconciled {
	struct store_rows *sums, *kinds; /* of the queries bill_sums and bill_kinds */
	/* Those of the bill first (own_count), then others that have lines of the same hours. In
	 * USD alone. */
	const char **names; /* of the rows */
	struct invoice *invoices;
	size_t own_count, count;
	struct billed_hour *hours; /* of all invoices, by instance and hour */
	size_t hour_count;
	/* What the texts above belong to. */
	struct store_rows **parts;
	size_t part_count;
	struct sheet *billed, *listed;
};

void bill_reconciled_free(struct bill_reconciled *bill); /* NULL is fine */
DEFINE_CLEANUP(struct bill_reconciled *, bill_reconciled_free)

/* id: of a file, whole. Errors as of query_named. */
int bill_reconcile(struct server *server, const char *id, struct bill_reconciled **ret,
		   struct error *err);
/* The invoice of this name and currency: its index; SIZE_MAX: it is not reconciled, as its currency
 * is another one than USD. */
size_t bill_reconciled_find(const struct bill_reconciled *bill, const char *name,
			    const char *currency);
