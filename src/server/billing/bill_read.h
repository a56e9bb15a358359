/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/bill.h"

struct server;

/* Makes the bill of [since_at, until_at), ns since the epoch, from the queries activity_*. -EIO,
 * -ENOMEM with words. */
int bill_make(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
	      struct error *err);
/* The same without tasks: the cost of hosts and of complete runs. Less than half of the work. */
int bill_make_whole(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
		    struct error *err);
