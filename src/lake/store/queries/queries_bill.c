/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries about what providers billed: parameters and columns. What each answers is said in its
 * .sql file. */

QUERY(billed_rates, PARAMS(TIME(since_at), TIME(until_at)),
      COLUMNS(TEXT(instance_id), TIME(hour_at), I64(effective_nusd_hour), I64(billed_nusd_hour),
	      DOUBLE(hours), TEXT(bill)));

QUERY(bill_hours, PARAMS(TIME(since_at), TIME(until_at)),
      COLUMNS(TEXT(invoice), TEXT(instance_id), TIME(hour_at), I64(billed_nusd),
	      I64(effective_nusd), I64(used_ns)));

QUERY(bill_kinds, PARAMS(TEXT(bill)),
      COLUMNS(TEXT(invoice), BOOL(final), TEXT(currency), TEXT(kind), TEXT(service),
	      BOOL(committed), BOOL(of_instance), TIME(since_at), TIME(until_at), I64(lines),
	      I64(billed_nusd), I64(effective_nusd)));

QUERY(bill_sums, PARAMS(TEXT(bill)),
      COLUMNS(TEXT(invoice), TEXT(currency), I64(lines), I64(billed_nusd), I64(effective_nusd),
	      TEXT(billed), TEXT(effective)));

QUERY(bills, PARAMS(TEXT(bill)),
      COLUMNS(TEXT(id), TEXT(name), TEXT(format), TEXT(hash), TIME(imported_at), I64(bytes),
	      TEXT(batch), BOOL(complete), TEXT(provider), TEXT(billing_account),
	      TIME(period_since), TIME(period_until), TEXT(currency), BOOL(final), BOOL(corrects),
	      I64(lines), I64(billed_nusd), I64(effective_nusd), TEXT(billed),
	      TEXT(superseded_by)));
