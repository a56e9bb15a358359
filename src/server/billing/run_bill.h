/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/billing/bill_read.h"
#include "server/query/query.h"

/* A bill includes a minute before and after the runs that it is made for: some work starts before
 * the record of the root process, or ends after it. */
#define RUN_MARGIN_NS (60 * NS_PER_S)

/* Makes the bill of the time during which this run was active, as bill_make_costs, with the
 * costs of its tasks. -ENOENT too. */
int run_bill(struct server *server, const char *id, struct bill **ret, struct error *err);
