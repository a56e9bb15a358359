/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/run_bill.h"

#include "base/clock.h"
#include "server/query/run.h"

int run_bill(struct server *server, const char *id, struct bill **ret, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *span = NULL;
	int64_t now = clock_real_ns(), since_at, until_at;
	int rc = run_query_row(server, "run_span", id, &span, err);

	if (rc)
		return rc;
	since_at = row_i64(span, "started_at");
	until_at = row_i64(span, "ended_at");
	return bill_make_costs(server, (since_at ? since_at : now) - RUN_MARGIN_NS,
			       (until_at ? until_at : now) + RUN_MARGIN_NS, id, ret, err);
}
