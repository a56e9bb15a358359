/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/clock.h"
#include "server/query/query.h"
#include "server/billing/bill.h"
#include "server/http/reply.h"
#include "server/http/request.h"

/* One run, for the handlers below /api/v1/runs/{run}. */

DEFINE_CLEANUP(struct bill *, bill_free)

#define RUN_ID_SIZE 160
/* What starts before a run's root or ends after it within a minute is in its bill. */
#define RUN_MARGIN_NS (60 * NS_PER_S)

/* The id of the run that the path names (docs/api.md, RUN). -ENOENT, or -ENOTUNIQ with the
 * candidates in the reply; both with words. */
int run_resolve(struct request *request, struct reply *reply, char id[RUN_ID_SIZE]);
/* The bill of the time in which this run was. */
int run_bill(struct server *server, const char *id, struct bill **ret, struct error *err);
/* Its bill is known: the bill has it and all its hosts have prices. */
bool run_priced(const struct bill *bill, const char *id);
